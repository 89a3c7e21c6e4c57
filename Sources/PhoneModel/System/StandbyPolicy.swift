import Quantities

/// How much an app that its person rarely opens may do out of sight.
package struct StandbyPolicy: Equatable, Sendable {
    /// Buckets from the most used app to the least, each from an age on; the first begins at zero.
    package var buckets: [Bucket]
    /// Remaining time below which a job does not begin again.
    package var buffer: Duration
    /// Most running time in a day.
    package var dayLimit: Duration
    /// Jobs, and sessions, that may begin in a minute.
    package var perMinute: Int
    /// Sessions nearer than this are one.
    package var coalescing: Duration

    /// One bucket.
    package struct Bucket: Equatable, Sendable {
        /// What it is called, such as "working_set".
        package var name: String
        /// How long ago the app was last opened, at least.
        package var since: Duration
        /// Running time of all jobs within `window`.
        package var time: Duration
        /// The window that is looked back over.
        package var window: Duration
        /// Jobs within the window.
        package var jobs: Int
        /// Sessions within the window.
        package var sessions: Int
        /// Whether the app has a network out of sight.
        package var hasNetwork: Bool
        /// Pushes of high priority in a day that are delivered as such; nil for no limit.
        package var highPushes: Int?

        /// Makes a bucket.
        package init(
            name: String,
            since: Duration,
            time: Duration,
            window: Duration,
            jobs: Int,
            sessions: Int,
            hasNetwork: Bool = true,
            highPushes: Int? = nil
        ) {
            self.name = name
            self.since = since
            self.time = time
            self.window = window
            self.jobs = jobs
            self.sessions = sessions
            self.hasNetwork = hasNetwork
            self.highPushes = highPushes
        }
    }

    /// Makes a policy; traps without a bucket.
    package init(
        buckets: [Bucket],
        buffer: Duration,
        dayLimit: Duration,
        perMinute: Int,
        coalescing: Duration
    ) {
        precondition(buckets.first?.since == .zero, "the first bucket begins at zero")
        self.buckets = buckets
        self.buffer = buffer
        self.dayLimit = dayLimit
        self.perMinute = perMinute
        self.coalescing = coalescing
    }

    /// The bucket of an app that was last opened so long ago.
    package func bucket(unusedFor span: Duration) -> Bucket {
        buckets.last { $0.since <= span } ?? buckets[0]
    }
}
