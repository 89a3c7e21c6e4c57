import ClientModules
import PhoneModel
import Quantities
import SimulationKernel
import Trace

/// Windows: time that an app out of sight was given, and what becomes of it when it is over.
extension PhoneSystem {
    /// Opens a window, starting or waking the app for it; nil when nobody may.
    @discardableResult
    func open(
        _ kind: SystemEvent.BackgroundGrant,
        identifier: String,
        length: Duration,
        overrun: WindowPolicy.Overrun,
        grace: Duration = .zero,
        request: PendingRequest? = nil,
        cause: WakeCause
    ) -> BackgroundGrant? {
        guard giveTime(cause), let launch = phone.launch else { return nil }
        let grant = BackgroundGrant(
            kind: kind,
            identifier: identifier,
            launch: launch,
            opened: now,
            expiresAt: now + length,
            overrun: overrun,
            grace: grace,
            request: request,
            usesQuota: quota != nil && request != nil
        )
        grants.append(grant)
        if grant.usesQuota { quota?.began(at: now) }
        report(.windowOpened(kind))
        world.schedule(at: grant.expiresAt) { [self] in expire(grant) }
        networkMayHaveChanged()
        return grant
    }

    /// What the app is handed of a window.
    func window(of grant: BackgroundGrant) -> BackgroundWindow {
        let launch = grant.launch
        return BackgroundWindow(
            identifier: grant.identifier,
            reason: grant.kind.reason,
            expiresAt: grant.expiresAt - .zero
        ) { [self] succeeded in
            guard launch.incarnation.canAct else { return }
            launch.atLocalTime { [self] in
                soon { [self] in
                    close(grant, succeeded: succeeded, ended: true)
                    check()
                }
            }
        }
    }

    /// Time to finish, for an app that asks for it out of sight; nil where there is none.
    func beginFinishing(_ name: String) -> BackgroundWindow? {
        let length = policy.suspension.finishing
        guard length > .zero, !isInFront, phone.launch != nil else { return nil }
        // The overrun of a background task is that of any other window.
        let refresh = policy.refresh
        return open(
            .finishing,
            identifier: name,
            length: length,
            overrun: refresh.overrun,
            grace: refresh.grace,
            cause: .job
        ).map { window(of: $0) }
    }

    /// A window is over; asks `check` for nothing, so that several can be closed.
    func close(_ grant: BackgroundGrant, succeeded: Bool, ended: Bool) {
        guard grant.isOpen else { return }
        grant.isOpen = false
        grants.removeAll { $0 === grant }
        if grant.usesQuota { quota?.ended(at: now) }
        report(.windowClosed(grant.kind, lasted: now - grant.opened, ended: ended))
        world.report(
            .measured(
                name: "background.window_s",
                value: Double((now - grant.opened).wholeNanoseconds) / 1e9
            ),
            device: phone.device
        )
        if !succeeded, let request = grant.request { again(request) }
        networkMayHaveChanged()
        soon { [self] in
            doze?.workEnded()
            considerRequests()
        }
    }

    private func expire(_ grant: BackgroundGrant) {
        guard grant.isOpen else { return }
        guard grant.overrun == .kill else {
            close(grant, succeeded: false, ended: false)
            return check()
        }
        world.schedule(at: now + grant.grace) { [self] in
            guard grant.isOpen, phone.launch === grant.launch else { return }
            close(grant, succeeded: false, ended: false)
            phone.kill(.backgroundTimeOver, relaunchAfter: nil)
        }
    }
}

extension SystemEvent.BackgroundGrant {
    fileprivate var reason: BackgroundWindow.Reason {
        switch self {
        case .finishing: .finishing
        case .refresh: .requested(.refresh)
        case .processing: .requested(.processing)
        case .push: .push
        case .transfer: .transfer
        }
    }
}
