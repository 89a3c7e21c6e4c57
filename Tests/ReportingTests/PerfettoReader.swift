import Foundation

/// Reads a Perfetto trace by the format's own description, knowing nothing of the writer.
struct PerfettoReader {
    struct Track {
        var name = ""
        var parent: UInt64?
        var isProcess = false
        var isCounter = false
    }

    struct Event {
        var time: UInt64 = 0
        var type: UInt64 = 0
        var track: UInt64 = 0
        var name = ""
        var category = ""
        var value: Int64?
        var details: [String: String] = [:]
        var flows: [UInt64] = []
        var endingFlows: [UInt64] = []
    }

    /// A slice with the slice that it lies in.
    struct Slice {
        var begin: Event
        var end: UInt64
        var parent: String?
    }

    struct Malformed: Error {
        let what: String
    }

    private(set) var tracks: [UInt64: Track] = [:]
    private(set) var events: [Event] = []

    init(_ data: Data) throws {
        for (field, value) in try Self.fields(data) where field == 1 {
            try readPacket(value)
        }
    }

    /// The events of the track of this name, in the order of the file.
    func events(on name: String) -> [Event] {
        events.filter { tracks[$0.track]?.name == name }
    }

    /// The slices of a track; throws when an end has no beginning, or a beginning no end.
    func slices(on name: String) throws -> [Slice] {
        var open: [Event] = []
        var slices: [Slice] = []
        for event in events(on: name) {
            switch event.type {
            case 1:
                open.append(event)
            case 2:
                guard let begin = open.popLast() else { throw Malformed(what: "an end too many") }
                slices.append(Slice(begin: begin, end: event.time, parent: open.last?.name))
            default:
                break
            }
        }
        guard open.isEmpty else { throw Malformed(what: "\(open.count) slices never end") }
        return slices.sorted { $0.begin.time < $1.begin.time }
    }

    // MARK: messages

    private mutating func readPacket(_ packet: Value) throws {
        var time: UInt64 = 0
        for (field, value) in try packet.fields() {
            switch field {
            case 8: time = value.number
            case 11: events.append(try Self.event(value))
            case 60: try readTrack(value)
            default: break
            }
        }
        if let last = events.indices.last, events[last].time == 0 { events[last].time = time }
    }

    private mutating func readTrack(_ message: Value) throws {
        var uuid: UInt64 = 0
        var track = Track()
        for (field, value) in try message.fields() {
            switch field {
            case 1: uuid = value.number
            case 2: track.name = value.text
            case 3:
                track.isProcess = true
                for (field, value) in try value.fields() where field == 6 {
                    track.name = value.text
                }
            case 5: track.parent = value.number
            case 8: track.isCounter = true
            default: break
            }
        }
        guard tracks[uuid] == nil else { throw Malformed(what: "track \(uuid) is there twice") }
        tracks[uuid] = track
    }

    private static func event(_ message: Value) throws -> Event {
        var event = Event()
        for (field, value) in try message.fields() {
            switch field {
            case 4:
                var detail = (name: "", value: "")
                for (field, value) in try value.fields() {
                    if field == 10 { detail.name = value.text }
                    if field == 6 { detail.value = value.text }
                }
                event.details[detail.name] = detail.value
            case 9: event.type = value.number
            case 11: event.track = value.number
            case 22: event.category = value.text
            case 23: event.name = value.text
            case 30: event.value = Int64(bitPattern: value.number)
            case 47: event.flows.append(value.number)
            case 48: event.endingFlows.append(value.number)
            default: break
            }
        }
        return event
    }

    // MARK: the wire

    struct Value {
        var number: UInt64 = 0
        var data = Data()

        var text: String { String(decoding: data, as: UTF8.self) }

        func fields() throws -> [(Int, Value)] { try PerfettoReader.fields(data) }
    }

    private static func fields(_ data: Data) throws -> [(Int, Value)] {
        let bytes = [UInt8](data)
        var place = 0
        var fields: [(Int, Value)] = []
        func varint() throws -> UInt64 {
            var value: UInt64 = 0
            var shift: UInt64 = 0
            while place < bytes.count {
                let byte = bytes[place]
                place += 1
                value |= UInt64(byte & 0x7F) << shift
                if byte < 0x80 { return value }
                shift += 7
            }
            throw Malformed(what: "cut off within a number")
        }
        while place < bytes.count {
            let tag = try varint()
            var value = Value()
            switch tag & 7 {
            case 0:
                value.number = try varint()
            case 1:
                guard place + 8 <= bytes.count else { throw Malformed(what: "cut off") }
                for index in 0..<8 {
                    value.number |= UInt64(bytes[place + index]) << UInt64(8 * index)
                }
                place += 8
            case 2:
                let count = Int(try varint())
                guard place + count <= bytes.count else { throw Malformed(what: "cut off") }
                value.data = Data(bytes[place..<place + count])
                place += count
            default:
                throw Malformed(what: "wire type \(tag & 7)")
            }
            fields.append((Int(tag >> 3), value))
        }
        return fields
    }
}
