import ClientModules
import Profiles

/// Faults of who is signed in.
extension FaultEngine {
    /// The access token ends before its time, as when the server's keys change.
    func expireToken(_ entry: FaultEntry) {
        guard let session = phone.session, session.expireAccess() else {
            return absorb(entry, "no access token was good")
        }
        note(entry, "the access token of sign-in \(session.signIn.identifier) expired")
    }

    /// The server ends the session; it heals as the person, told by the app, signs in again.
    func revokeSession(_ entry: FaultEntry) {
        guard let session = phone.session, session.revoke() else {
            return absorb(entry, "no session went on")
        }
        note(entry, "the server ended the session of sign-in \(session.signIn.identifier)")
    }
}
