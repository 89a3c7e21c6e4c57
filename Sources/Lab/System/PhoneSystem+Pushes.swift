import NetworkModel
import PhoneModel
import Profiles
import Quantities
import SimulationKernel
import Trace

/// A push on its way to the app, and what the app will ask the server then.
struct PushArrival {
    let isHigh: Bool
    let fetch: AppAction
}

/// Pushes: which come through, which wait, which nobody hears.
extension PhoneSystem {
    /// A push was sent to the phone.
    func pushArrived(_ push: PushArrival) {
        guard phone.network.path.hasRoute else { return hold(push) }
        let isHigh = push.isHigh && mayBeHigh()
        if !isHigh, policy.push.waitsInDoze, doze?.holdsUp == true { return hold(push) }
        receive(push, isHigh: isHigh)
    }

    /// What waited comes through now, if the phone lets it.
    func deliverWaitingPush() {
        guard let push = waitingPush, phone.network.path.hasRoute, doze?.holdsUp != true else {
            return
        }
        waitingPush = nil
        receive(push, isHigh: false)
    }

    private func hold(_ push: PushArrival) {
        report(.push(waitingPush == nil ? .deferred : .merged))
        waitingPush = push
    }

    private func receive(_ push: PushArrival, isHigh: Bool) {
        let radio = policy.push.radio
        phone.sleep.wake(.push, for: radio + PhoneModem.hold)
        phone.declareRadioActivity(owner: "push", lasts: radio)
        if isInFront {
            report(.push(.delivered))
            return run(push.fetch)
        }
        if configuration.savesPower, policy.saving.lowPowerStopsWindows {
            return report(.push(.dropped))
        }
        let isAllowed = isHigh ? highPushes.take(at: now) : normalPushes.take(at: now)
        guard isAllowed else { return report(.push(.throttled)) }
        let grant = open(
            .push,
            identifier: "push",
            length: policy.push.window,
            overrun: policy.push.overrun,
            grace: policy.refresh.grace,
            cause: .push
        )
        guard let grant else { return report(.push(.dropped)) }
        report(.push(.delivered))
        run(push.fetch)
        grant.launch.background?.deliver(window(of: grant))
    }

    /// Has the app ask the server, as soon as it is there.
    private func run(_ fetch: AppAction) {
        guard let launch = phone.launch else { return }
        launch.whenReady { app in
            launch.incarnation.start {
                do {
                    try await app.perform(fetch)
                } catch {
                    launch.log("the push's question failed: \(RefusalReason.text(of: error))")
                }
            }
        }
    }

    /// Whether the bucket still lets a push of high priority be one; counts it if so.
    private func mayBeHigh() -> Bool {
        guard let most = bucket?.highPushes else { return true }
        highPushInstants.removeAll { $0 + .seconds(86_400) <= now }
        guard highPushInstants.count < most else { return false }
        highPushInstants.append(now)
        return true
    }
}
