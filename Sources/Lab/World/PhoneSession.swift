import ClientModules
import Measurements
import Quantities
import ServerModel
import SimulationKernel
import Trace

/// Who is signed in on a phone: a person who signed in before the run, and does so again when the app says
/// that they have to.
///
/// Signing in itself is not simulated: it happens in a browser, between the person and the server.
final class PhoneSession: @unchecked Sendable {
    // Confined to the thread that hosts the world.
    /// How long a person takes who is told to sign in: an assumption.
    static let patience = Duration.seconds(20)

    /// The sign-in that the app is to work with; handed to every launch, as it may die before it stored it.
    private(set) var signIn: SessionSignIn
    private unowned let phone: Phone
    private let lifetime: Duration
    private var count = 0
    /// The sign-in that the app said is over.
    private var isOver: String?

    private var world: World { phone.world }

    init(phone: Phone, policy: TokenPolicy) {
        self.phone = phone
        lifetime = policy.accessTokensLive
        signIn = Self.begin(1, at: phone.world.server, lifetime: policy.accessTokensLive)
        count = 1
    }

    /// Ends the access token; false when none is good.
    func expireAccess() -> Bool { world.server.expireAccess(ofSession: signIn.tokens.refresh) }

    /// Ends the session at the server; false when it is over.
    func revoke() -> Bool { world.server.revoke(session: signIn.tokens.refresh) }

    /// The person signs in; the app hears of it now, or at its next launch.
    func signInAgain() {
        count += 1
        signIn = Self.begin(count, at: world.server, lifetime: lifetime)
        guard let launch = phone.launch else { return }
        launch.whenReady { [signIn] app in
            launch.log("the person signed in again")
            launch.incarnation.start { await app.signIn(signIn) }
        }
    }

    /// The app says how its session goes.
    func heard(_ event: SessionEvent, from launch: LaunchSeams) {
        guard case .signedOut(let identifier) = event else { return }
        launch.atLocalTime { [self] in
            // Said again at each start; the person was told once.
            guard identifier == signIn.identifier, isOver != identifier else { return }
            isOver = identifier
            launch.log("the session is over: the person has to sign in")
            if let message = breach() {
                world.report(
                    .guaranteeBroken(
                        name: GuaranteeName.sessionKept.text,
                        message: message,
                        subject: "sign-in \(identifier)"
                    ),
                    device: phone.device
                )
            }
            world.schedule(at: world.simulation.instant + Self.patience) { [self] in
                guard signIn.identifier == identifier else { return }
                signInAgain()
            }
        }
    }

    /// What the app did wrong if it signed the person out; nil if the lab had the session ended.
    private func breach() -> String? {
        switch world.server.standing(ofSession: signIn.tokens.refresh) {
        case .revoked, nil:
            nil
        case .reused:
            "the person was signed out: a refresh token came to the server again after it was used, and "
                + "the server ended the session (RFC 9700, 4.14.2)"
        case .good:
            "the app signed the person out, and the server's session goes on"
        }
    }

    private static func begin(
        _ number: Int,
        at server: SimulatedServer,
        lifetime: Duration
    ) -> SessionSignIn {
        let (access, refresh) = server.beginSession()
        return SessionSignIn(
            identifier: "\(number)",
            tokens: SessionTokens(access: access, refresh: refresh, accessLifetime: lifetime)
        )
    }
}
