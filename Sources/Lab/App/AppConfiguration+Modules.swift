import ClientModules
import Profiles
import Quantities

extension AppConfiguration {
    /// The outbox's settings as the profile has them.
    package func outboxConfiguration(for server: ServerAddress) -> OutboxConfiguration {
        OutboxConfiguration(
            server: server.root,
            parallel: outbox.parallel,
            retry: retry.policy,
            budget: retry.tokenBudget,
            giveUpAfter: outbox.giveUpAfter
        )
    }

    /// The session's settings: retries as the profile has them.
    package func sessionConfiguration(for server: ServerAddress) -> SessionConfiguration {
        SessionConfiguration(tokenEndpoint: server.url("/token"), retry: retry.policy)
    }

    /// The uploader's settings as the profile has them.
    package func uploadConfiguration(for server: ServerAddress) -> UploadConfiguration {
        UploadConfiguration(
            endpoint: server.url("/files"),
            chunk: uploader.chunk,
            chunkTime: uploader.chunkTime,
            retry: (uploader.retry ?? retry).policy,
            budget: (uploader.retry ?? retry).tokenBudget,
            usesBackgroundTransfers: uploader.background
        )
    }
}

extension RetrySettings {
    /// The policy that the settings describe.
    package var policy: RetryPolicy {
        let jitter: RetryJitter =
            switch self.jitter {
            case .full: .full
            case .equal: .equal
            case .decorrelated: .decorrelated
            case .none: .none
            }
        return RetryPolicy(
            base: base,
            ceiling: ceiling,
            jitter: jitter,
            deadline: deadline,
            maximumAttempts: attempts,
            delays: delays
        )
    }

    /// The budget that the settings describe; nil without one.
    package var tokenBudget: RetryBudget? {
        budget.map { RetryBudget(ratio: $0) }
    }
}
