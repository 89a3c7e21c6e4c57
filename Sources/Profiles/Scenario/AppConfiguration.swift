import NetworkModel
import Quantities

/// Settings that the app gives to the built-in modules.
package struct AppConfiguration: Equatable, Sendable {
    /// The outbox.
    package var outbox: OutboxSettings
    /// The resumable uploader.
    package var uploader: UploaderSettings
    /// When what failed is tried again.
    package var retry: RetrySettings
    /// The HTTP client below them.
    package var http: HTTPSettings
    /// The image cache.
    package var images: ImageSettings
    /// What is done for the screen.
    package var screen: ScreenSettings
    /// How it listens to the server's events; nil if it does not.
    package var live: LiveSettings?

    /// Makes settings, each with its defaults.
    package init(
        outbox: OutboxSettings = .init(),
        uploader: UploaderSettings = .init(),
        retry: RetrySettings = .init(),
        http: HTTPSettings = .init(),
        images: ImageSettings = .init(),
        screen: ScreenSettings = .init(),
        live: LiveSettings? = nil
    ) {
        self.outbox = outbox
        self.uploader = uploader
        self.retry = retry
        self.http = http
        self.images = images
        self.screen = screen
        self.live = live
    }
}

/// Settings of the outbox.
package struct OutboxSettings: Equatable, Sendable {
    /// Entities that are sent at the same time; two is an assumption.
    package var parallel: Int
    /// An intent older than this is given up; seven days is an assumption.
    package var giveUpAfter: Duration

    /// Makes settings.
    package init(parallel: Int = 2, giveUpAfter: Duration = .seconds(7 * 86_400)) {
        self.parallel = parallel
        self.giveUpAfter = giveUpAfter
    }
}

/// Settings of the resumable uploader.
package struct UploaderSettings: Equatable, Sendable {
    /// The smallest and the largest chunk; equal ends fix it.
    package var chunk: QuantityRange<ByteCount>
    /// How long a chunk should take at the measured rate.
    package var chunkTime: QuantityRange<Duration>
    /// Whether the system carries uploads out, where a profile has one.
    package var background: Bool
    /// When what failed is tried again; nil for the app's settings.
    package var retry: RetrySettings?

    /// Makes settings; the defaults are DESIGN section 7's.
    package init(
        chunk: QuantityRange<ByteCount> = .init(.kibibytes(256), .mebibytes(8)),
        chunkTime: QuantityRange<Duration> = .init(.seconds(5), .seconds(10)),
        background: Bool = false,
        retry: RetrySettings? = nil
    ) {
        self.background = background
        self.retry = retry
        self.chunk = chunk
        self.chunkTime = chunkTime
    }
}

/// When what failed is tried again.
package struct RetrySettings: Equatable, Sendable {
    /// The first wait's ceiling.
    package var base: Duration
    /// No wait's ceiling is longer than this.
    package var ceiling: Duration
    /// Ceilings of the first waits in place of doubling; empty to double.
    package var delays: [Duration]
    /// How waits are spread.
    package var jitter: Jitter
    /// Retries as a share of first attempts; nil for no budget.
    package var budget: Probability?
    /// The user of one call is told after this long; nil for no deadline.
    package var deadline: Duration?
    /// Most attempts, the first one included; nil for no limit.
    package var attempts: Int?

    /// How waits are spread below their ceiling.
    package enum Jitter: String, Sendable, CaseIterable {
        case full
        case equal
        case decorrelated
        case none
    }

    /// Makes settings; the defaults of 1 s and 60 s are those of research/clients.md C3.
    package init(
        base: Duration = .seconds(1),
        ceiling: Duration = .seconds(60),
        jitter: Jitter = .full,
        budget: Probability? = .percent(10),
        deadline: Duration? = nil,
        attempts: Int? = nil,
        delays: [Duration] = []
    ) {
        self.delays = delays
        self.attempts = attempts
        self.base = base
        self.ceiling = ceiling
        self.jitter = jitter
        self.budget = budget
        self.deadline = deadline
    }
}

/// Settings of the HTTP client, with URLSession's meaning.
package struct HTTPSettings: Equatable, Sendable {
    /// Time without progress after which a request fails with `timedOut`.
    ///
    /// 60 s is URLSession's `timeoutIntervalForRequest`.
    package var timeout: Duration
    /// Connections to one host at a time; 6 is URLSession's `httpMaximumConnectionsPerHost` on macOS
    /// and what DESIGN section 5 takes for HTTP/1.1.
    package var connections: Int

    /// Makes settings.
    package init(timeout: Duration = .seconds(60), connections: Int = 6) {
        self.timeout = timeout
        self.connections = connections
    }
}
