import Quantities

/// When a phone that nobody uses holds everything up, and when it lets it through.
package struct DozePolicy: Equatable, Sendable {
    /// The light one begins soon and is short.
    package var light: Light
    /// The deep one needs a phone that lies still.
    package var deep: Deep

    /// Waits that grow.
    package struct Growth: Equatable, Sendable {
        /// The first.
        package var first: Duration
        /// How much longer each next one is.
        package var factor: Int
        /// The longest.
        package var longest: Duration

        /// Makes waits.
        package init(first: Duration, factor: Int, longest: Duration) {
            self.first = first
            self.factor = factor
            self.longest = longest
        }

        /// The wait after `wait`.
        package func next(after wait: Duration) -> Duration { min(longest, wait * factor) }
    }

    /// Light doze.
    package struct Light: Equatable, Sendable {
        /// From the screen going dark to the first hold.
        package var after: Duration
        /// How much longer work that goes on puts that off, at most.
        package var preIdle: Duration
        /// From one window to the next.
        package var idle: Growth
        /// What a window may take at first, and at most when earlier ones were not used up.
        package var budget: QuantityRange<Duration>
        /// The shortest window.
        package var shortest: Duration

        /// Makes figures.
        package init(
            after: Duration,
            preIdle: Duration,
            idle: Growth,
            budget: QuantityRange<Duration>,
            shortest: Duration
        ) {
            self.after = after
            self.preIdle = preIdle
            self.idle = idle
            self.budget = budget
            self.shortest = shortest
        }
    }

    /// Deep doze.
    package struct Deep: Equatable, Sendable {
        /// From the screen going dark until the phone begins to see whether it lies still.
        package var after: Duration
        /// From there until it looks.
        package var pending: Duration
        /// How long it senses motion, and then looks for its place.
        package var sensing: Duration
        /// See `sensing`.
        package var locating: Duration
        /// As `after`, when the phone was moved.
        package var afterMotion: Duration
        /// From one window to the next.
        package var idle: Growth
        /// What a window may take.
        package var window: Growth
        /// The shortest window.
        package var shortest: Duration

        /// Makes figures.
        package init(
            after: Duration,
            pending: Duration,
            sensing: Duration,
            locating: Duration,
            afterMotion: Duration,
            idle: Growth,
            window: Growth,
            shortest: Duration
        ) {
            self.after = after
            self.pending = pending
            self.sensing = sensing
            self.locating = locating
            self.afterMotion = afterMotion
            self.idle = idle
            self.window = window
            self.shortest = shortest
        }
    }

    /// Makes a policy.
    package init(light: Light, deep: Deep) {
        self.light = light
        self.deep = deep
    }
}
