/// Keeps somebody signed in.
///
/// `Session` is the implementation to use. The protocol is there so that the lab can put another
/// session, yours or a broken one, into the same app.
public protocol SessionDriving: Sendable {
    /// A transport whose requests carry the access token and are repeated once after a 401.
    var transport: any HTTPTransport { get }
    /// For what goes another way than through the transport, such as transfers of the system.
    var authorization: RequestAuthorization { get }
    /// Refreshes when it is asked to, until the task is cancelled; call it once a launch, in a task of its own.
    func run() async
    /// A person signed in; returns when that is stored.
    func signIn(_ signIn: SessionSignIn) async
    /// The person signed out; returns when that is stored.
    func signOut() async
}
