import Quantities

/// What a report draws of one seed: a few bounded tracks over virtual time.
package struct Timeline: Codable, Sendable, Equatable {
    /// When the run ended.
    package var end: SimulationInstant
    /// When everything had healed and nobody touched the phone any more, if it came to that.
    package var settleBegan: SimulationInstant?
    /// Radio states, one track a radio; state kinds "idle", "promotion", "active", "tail".
    package var radios: [TimelineTrack]
    /// What the path did; labels are phase, interface and rates.
    package var path: [TimelineSpan]
    /// What the app was to the system.
    package var app: [TimelineSpan]
    /// Launches, ends and wake-ups.
    package var marks: [TimelineMark]
    /// Faults from firing to healing.
    package var faults: [TimelineSpan]
    /// How many promised actions had not settled.
    package var outboxDepth: [TimelinePoint]
    /// Bytes charged to the app.
    package var memory: [TimelinePoint]
    /// Shown progress of each upload, in bytes.
    package var uploads: [TimelineProgress]
    /// When requests came to the server; nil unless the run is of a fleet.
    package var arrivals: TimelineArrivals?

    /// Makes an empty timeline that ends at `end`.
    package init(end: SimulationInstant) {
        self.end = end
        radios = []
        path = []
        app = []
        marks = []
        faults = []
        outboxDepth = []
        memory = []
        uploads = []
    }

    /// Whether it shows a phone, beside what came to the server.
    package var showsPhone: Bool { !(path.isEmpty && radios.isEmpty && app.isEmpty) }
}

/// When requests came to the server: counts in equal windows from the run's start.
package struct TimelineArrivals: Codable, Sendable, Equatable {
    /// The length of a window.
    package var windowNanoseconds: Int64
    /// Requests in each window, up to the last one that had any.
    package var requests: [Int]
    /// How many of them an outage or want of capacity refused.
    package var refused: [Int]
    /// Requests a second that the server serves; nil if it serves any number.
    package var capacity: Int?

    /// Makes a series.
    package init(
        windowNanoseconds: Int64,
        requests: [Int] = [],
        refused: [Int] = [],
        capacity: Int? = nil
    ) {
        self.windowNanoseconds = windowNanoseconds
        self.requests = requests
        self.refused = refused
        self.capacity = capacity
    }

    /// When window `index` begins.
    package func start(of index: Int) -> SimulationInstant {
        SimulationInstant(nanoseconds: Int64(index) * windowNanoseconds)
    }

    /// The window that `instant` lies in; it may be beyond the last one with requests.
    package func window(of instant: SimulationInstant) -> Int {
        Int(instant.nanoseconds / windowNanoseconds)
    }

    /// Whether a window is a second long: a count is then a rate, else it gives only the mean.
    package var isBySecond: Bool { windowNanoseconds == 1_000_000_000 }

    /// The length of a window, such as "2 s".
    package var windowText: String { Duration.nanoseconds(windowNanoseconds).compactText }

    /// A count of one window as requests a second.
    package func perSecond(_ count: Int) -> Double {
        Double(count) * 1e9 / Double(windowNanoseconds)
    }
}

/// A named row of spans.
package struct TimelineTrack: Codable, Sendable, Equatable {
    /// The row's name, such as "lte-2012-aro".
    package var name: String
    /// Its spans, in order.
    package var spans: [TimelineSpan]

    /// Makes a row.
    package init(name: String, spans: [TimelineSpan]) {
        self.name = name
        self.spans = spans
    }
}

/// A stretch of time in which something was one way.
package struct TimelineSpan: Codable, Sendable, Equatable {
    /// When it began.
    package var start: SimulationInstant
    /// When it ended.
    package var end: SimulationInstant
    /// What it is drawn as, such as "tail" or "down".
    package var kind: String
    /// What it is called; may be empty.
    package var label: String
    /// How much of it: bits per second toward the phone for the path, the index for a fault.
    package var value: Int64

    /// Makes a span.
    package init(
        start: SimulationInstant,
        end: SimulationInstant,
        kind: String,
        label: String,
        value: Int64 = 0
    ) {
        self.start = start
        self.end = end
        self.kind = kind
        self.label = label
        self.value = value
    }

    /// How long it lasted.
    package var length: Duration { end - start }
}

/// Something that took no time.
package struct TimelineMark: Codable, Sendable, Equatable {
    /// When.
    package var instant: SimulationInstant
    /// "launch", "kill", "crash" or "settle".
    package var kind: String
    /// What happened.
    package var label: String

    /// Makes a mark.
    package init(instant: SimulationInstant, kind: String, label: String) {
        self.instant = instant
        self.kind = kind
        self.label = label
    }
}

/// A value that holds from an instant until the next point.
package struct TimelinePoint: Codable, Sendable, Equatable {
    /// From when.
    package var instant: SimulationInstant
    /// The value.
    package var value: Int64

    /// Makes a point.
    package init(instant: SimulationInstant, value: Int64) {
        self.instant = instant
        self.value = value
    }
}

/// One upload's progress as the app showed it.
package struct TimelineProgress: Codable, Sendable, Equatable {
    /// The upload's identity.
    package var name: String
    /// All bytes of it.
    package var size: Int64
    /// Shown bytes.
    package var points: [TimelinePoint]

    /// Makes a progress.
    package init(name: String, size: Int64, points: [TimelinePoint]) {
        self.name = name
        self.size = size
        self.points = points
    }
}
