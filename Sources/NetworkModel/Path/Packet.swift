import Trace

/// One IP packet inside the model: plain numbers, copied from stage to stage.
struct Packet {
    /// Who takes it at its end.
    enum Kind: UInt8 {
        case tcp
        /// A name lookup's.
        case datagram
        /// A piece of a body on the ideal transport, without headers.
        case ideal
        /// A datagram of a QUIC connection, which keeps what is in it.
        case quic
    }

    /// Slot of the connection in its network, or of the name lookup.
    var slot: Int32 = 0
    /// Bytes of IP: headers and payload.
    var size: Int32 = 0
    /// Transport payload bytes.
    var payload: Int32 = 0
    /// Receive window in bytes.
    var window: Int32 = 0
    var sequence: Int64 = 0
    var acknowledgement: Int64 = 0
    /// The sender's clock when it was sent, and the peer's clock that it answers.
    var timestamp: Int64 = 0
    var echo: Int64 = 0
    /// When it came to the queue it waits in, or when it will arrive.
    var instant: Int64 = 0
    /// Up to three ranges, as differences to `acknowledgement`; the first may be a duplicate's.
    var ranges = SelectiveRanges()
    var flags: UInt8 = 0
    var isRetransmission = false
    var kind = Kind.tcp
    /// Which address of the phone it goes with.
    var address: Int32 = 0
    /// Who paid for its connection when it was sent, by the network's number: for one that outlives it.
    var owner: Int32 = 0
    /// Guards against a slot that was given to another connection.
    var connection: Int64 = 0

    /// Whether its slot is that of a connection.
    var isOfConnection: Bool { kind == .tcp || kind == .quic }
}

/// Up to three acknowledged ranges beyond the cumulative acknowledgement (RFC 2018).
///
/// Three, for the timestamps option leaves room for no fourth.
struct SelectiveRanges {
    var count: Int32 = 0
    private var lower0: Int32 = 0
    private var upper0: Int32 = 0
    private var lower1: Int32 = 0
    private var upper1: Int32 = 0
    private var lower2: Int32 = 0
    private var upper2: Int32 = 0

    /// Adds a range relative to the acknowledgement; a fourth is left out.
    mutating func append(lower: Int64, upper: Int64) {
        switch count {
        case 0: (lower0, upper0) = (Int32(lower), Int32(upper))
        case 1: (lower1, upper1) = (Int32(lower), Int32(upper))
        case 2: (lower2, upper2) = (Int32(lower), Int32(upper))
        default: return
        }
        count += 1
    }

    /// The range at `index`, relative to the acknowledgement.
    subscript(index: Int) -> (lower: Int64, upper: Int64) {
        switch index {
        case 0: (Int64(lower0), Int64(upper0))
        case 1: (Int64(lower1), Int64(upper1))
        default: (Int64(lower2), Int64(upper2))
        }
    }
}

/// TCP's header flags as on the wire (RFC 9293).
enum TCPFlags {
    static let fin: UInt8 = 1
    static let syn: UInt8 = 2
    static let reset: UInt8 = 4
    static let push: UInt8 = 8
    static let acknowledge: UInt8 = 16
}

/// A growing ring of packets, first in, first out; allocates nothing until it is used.
///
/// It starts small and gives a large storage back when it is empty, for in a fleet most are idle.
final class PacketRing {
    private static let leastCapacity = 4
    /// A storage of more packets than this is given back by an empty ring.
    private static let keptCapacity = 32

    private var storage: UnsafeMutablePointer<Packet>?
    private var capacity = 0
    private var head = 0
    private(set) var count = 0

    deinit {
        storage?.deallocate()
    }

    /// Adds a packet behind the others.
    func push(_ packet: borrowing Packet) {
        if count == capacity { grow() }
        guard let storage else { return }
        (storage + ((head + count) & (capacity - 1))).initialize(to: copy packet)
        count += 1
    }

    /// Adds a packet behind those that are due no later than it; true if it is now the front.
    ///
    /// O(packets behind it).
    func insertByInstant(_ packet: borrowing Packet) -> Bool {
        push(packet)
        guard let storage else { return false }
        let mask = capacity - 1
        var index = count - 1
        while index > 0, storage[(head + index - 1) & mask].instant > packet.instant {
            storage[(head + index) & mask] = storage[(head + index - 1) & mask]
            index -= 1
        }
        storage[(head + index) & mask] = copy packet
        return index == 0
    }

    /// The oldest packet; traps when empty.
    var front: Packet {
        precondition(count > 0, "an empty ring has no front")
        guard let storage else { preconditionFailure("a ring with packets has storage") }
        return storage[head]
    }

    /// Takes the oldest packet out; traps when empty.
    func pop() -> Packet {
        let packet = front
        head = (head + 1) & (capacity - 1)
        count -= 1
        if count == 0, capacity > Self.keptCapacity { release() }
        return packet
    }

    /// Forgets every packet and gives the storage back.
    func removeAll() {
        count = 0
        release()
    }

    private func release() {
        storage?.deallocate()
        storage = nil
        capacity = 0
        head = 0
    }

    private func grow() {
        let larger = max(Self.leastCapacity, capacity * 2)
        let fresh = UnsafeMutablePointer<Packet>.allocate(capacity: larger)
        if let storage {
            for index in 0..<count {
                (fresh + index).initialize(to: storage[(head + index) & (capacity - 1)])
            }
            storage.deallocate()
        }
        storage = fresh
        capacity = larger
        head = 0
    }
}
