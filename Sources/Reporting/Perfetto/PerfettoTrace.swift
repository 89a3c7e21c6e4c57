import Quantities

/// A trace as Perfetto's viewer and trace processor read it: tracks, slices, instants, counters, flows.
///
/// Field numbers: protos/perfetto/trace of the Perfetto project, `trace_packet.proto`,
/// `track_event/track_event.proto`, `track_event/track_descriptor.proto` and `debug_annotation.proto` of
/// v50 and later. Time is in nanoseconds from the start of the run.
struct PerfettoTrace {
    /// A track by its number, which is its `uuid` in the file.
    struct Track: Equatable, Sendable {
        let number: UInt64
    }

    /// One event on a track.
    struct Event {
        enum Kind: UInt64 {
            case begin = 1
            case end = 2
            case instant = 3
            case counter = 4
        }

        var kind: Kind
        var track: Track
        var instant: SimulationInstant
        var name = ""
        var category = ""
        var details: [(name: String, value: String)] = []
        var value: Int64 = 0
        /// Arrows that pass through here.
        var flows: [UInt64] = []
        /// Arrows that end here.
        var endingFlows: [UInt64] = []
    }

    /// The one sequence that all packets belong to.
    private static let sequence: UInt64 = 1

    private var writer = ProtobufWriter()
    private var tracks: UInt64 = 0
    private var events: [Event] = []

    // MARK: tracks

    /// Adds what the viewer groups tracks by: a process.
    mutating func addProcess(_ name: String, number: Int64) -> Track {
        let track = nextTrack()
        descriptor { body in
            body.write(track.number, field: 1)
            body.write(field: 3) { process in
                process.write(number, field: 1)
                process.write(name, field: 6)
            }
            // EXPLICIT: its tracks stand in the order of their rank.
            body.write(UInt64(3), field: 11)
        }
        return track
    }

    /// Adds a track of slices and instants below another; tracks keep the order in which they are added.
    mutating func addTrack(_ name: String, below parent: Track) -> Track {
        let track = nextTrack()
        descriptor { body in
            body.write(track.number, field: 1)
            body.write(name, field: 2)
            body.write(parent.number, field: 5)
            body.write(track.number, field: 12)
        }
        return track
    }

    /// Adds a track that a number is drawn on.
    mutating func addCounter(_ name: String, unit: String, below parent: Track) -> Track {
        let track = nextTrack()
        descriptor { body in
            body.write(track.number, field: 1)
            body.write(name, field: 2)
            body.write(parent.number, field: 5)
            body.write(field: 8) { $0.write(unit, field: 6) }
            body.write(track.number, field: 12)
        }
        return track
    }

    private mutating func nextTrack() -> Track {
        tracks += 1
        return Track(number: tracks)
    }

    private mutating func descriptor(_ body: (inout ProtobufWriter) -> Void) {
        writer.write(field: 1) { packet in
            packet.write(Self.sequence, field: 10)
            packet.write(field: 60, body)
        }
    }

    // MARK: events

    /// Adds an event; those of one instant keep the order in which they are added.
    mutating func add(_ event: Event) {
        events.append(event)
    }

    /// The whole file.
    func bytes() -> [UInt8] {
        var writer = writer
        let order = events.indices.sorted {
            (events[$0].instant, $0) < (events[$1].instant, $1)
        }
        for index in order { Self.write(events[index], to: &writer) }
        return writer.bytes
    }

    private static func write(_ event: Event, to writer: inout ProtobufWriter) {
        writer.write(field: 1) { packet in
            packet.write(UInt64(event.instant.nanoseconds), field: 8)
            packet.write(sequence, field: 10)
            packet.write(field: 11) { body in
                for detail in event.details {
                    body.write(field: 4) { annotation in
                        annotation.write(detail.value, field: 6)
                        annotation.write(detail.name, field: 10)
                    }
                }
                body.write(event.kind.rawValue, field: 9)
                body.write(event.track.number, field: 11)
                if !event.category.isEmpty { body.write(event.category, field: 22) }
                if !event.name.isEmpty { body.write(event.name, field: 23) }
                if event.kind == .counter { body.write(event.value, field: 30) }
                for flow in event.flows { body.write(fixed: flow, field: 47) }
                for flow in event.endingFlows { body.write(fixed: flow, field: 48) }
            }
        }
    }
}
