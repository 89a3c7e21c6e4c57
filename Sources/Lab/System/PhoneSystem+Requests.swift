import ClientModules
import NetworkModel
import PhoneModel
import Profiles
import Quantities
import SimulationKernel
import Trace

/// Wishes to work later, and when the system grants them.
extension PhoneSystem {
    private func policy(of request: PendingRequest) -> WindowPolicy {
        request.isProcessing ? policy.processing : policy.refresh
    }

    /// Keeps a wish; throws when too many of its kind wait.
    func submit(_ request: BackgroundRequest) throws {
        var pending = PendingRequest(
            identifier: request.identifier,
            isProcessing: request.kind == .processing,
            needsNetwork: request.needsNetwork,
            due: now
        )
        let limit = policy(of: pending).pending
        let waiting = requests.count {
            $0.isProcessing == pending.isProcessing && $0.identifier != pending.identifier
        }
        guard waiting < limit else { throw BackgroundWorkError.tooManyRequests(limit: limit) }
        let delay = draws.duration(in: policy(of: pending).delay)
        pending.due = now + request.delay + delay
        requests.removeAll { $0.identifier == pending.identifier }
        requests.append(pending)
        soon { [self] in considerRequests() }
    }

    /// Takes a wish back.
    func cancelRequest(_ identifier: String) {
        requests.removeAll { $0.identifier == identifier }
    }

    /// A window failed: the system tries it again by itself, where it does.
    func again(_ request: PendingRequest) {
        guard let retry = policy(of: request).retry,
            !requests.contains(where: { $0.identifier == request.identifier })
        else { return }
        var next = request
        next.failures += 1
        next.due = now + retry.wait(after: next.failures)
        requests.append(next)
    }

    /// Opens windows for what may have one now, and looks again when the next may.
    func considerRequests() {
        world.simulation.cancel(requestEvent)
        requestEvent = .none
        guard !isInFront, mayOpenWindows else { return }
        for request in requests where mayBegin(request) {
            requests.removeAll { $0.identifier == request.identifier }
            grant(request)
        }
        scheduleNextLook()
    }

    private func grant(_ request: PendingRequest) {
        let policy = policy(of: request)
        var length = draws.duration(in: policy.length)
        if let bucket, !isCharging, let quota {
            length = min(length, quota.remaining(in: bucket, at: now))
        }
        let grant = open(
            request.isProcessing ? .processing : .refresh,
            identifier: request.identifier,
            length: length,
            overrun: policy.overrun,
            grace: policy.grace,
            request: request,
            cause: .job
        )
        if let grant { grant.launch.background?.deliver(window(of: grant)) }
    }

    /// What forbids all windows: the person's saving, a low battery, a phone that dozes.
    private var mayOpenWindows: Bool {
        let saving = policy.saving
        if configuration.savesPower, saving.lowPowerStopsWindows { return false }
        if savesDataNow, saving.lowDataStopsWindows { return false }
        // A phone that is plugged in saves nothing, however low its battery is.
        if !isCharging, phone.energy.isBelow(saving.batteryFloor) { return false }
        return doze?.holdsUp != true
    }

    private func mayBegin(_ request: PendingRequest) -> Bool {
        guard request.due <= now, isMet(policy(of: request).needs) else { return false }
        // The next one of a name begins when the one before has ended.
        if grants.contains(where: { $0.request?.identifier == request.identifier }) { return false }
        if request.needsNetwork, !phone.network.path.hasRoute { return false }
        guard let bucket, let quota, !isCharging else { return true }
        return quota.earliestStart(in: bucket, at: now) <= now
    }

    private func isMet(_ needs: Set<WindowPolicy.Need>) -> Bool {
        (!needs.contains(.charging) || isCharging) && (!needs.contains(.idle) || !isInUse)
    }

    private func scheduleNextLook() {
        var next: SimulationInstant?
        for request in requests {
            var due = request.due
            if due <= now, let bucket, let quota, !isCharging {
                due = quota.earliestStart(in: bucket, at: now)
            }
            guard due > now else { continue }
            next = min(next ?? due, due)
        }
        guard let next else { return }
        requestEvent = world.schedule(at: next) { [self] in considerRequests() }
    }
}
