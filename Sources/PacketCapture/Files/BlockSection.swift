/// What a section of a pcapng file says so far: its byte order and its interfaces.
struct BlockSection {
    private var isBig = false
    private var interfaces: [Interface] = []
    /// Interfaces of earlier sections, so that numbers are unique in a file.
    private var earlier = 0
    private var lastTime: Int64 = 0

    private enum Block {
        static let section: UInt32 = 0x0A0D_0D0A
        static let interface: UInt32 = 1
        static let packet: UInt32 = 2
        static let simplePacket: UInt32 = 3
        static let names: UInt32 = 4
        static let statistics: UInt32 = 5
        static let enhancedPacket: UInt32 = 6
    }

    private struct Interface {
        var linkType: LinkType
        var snapLength: Int
        var clock: BlockClock
    }

    /// Reads the first 12 bytes of a block: its length, and of a section header its byte order.
    mutating func begin(_ head: [UInt8]) -> Int? {
        let number = { (offset: Int) -> UInt32 in
            (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(head[offset + $1]) }
        }
        if number(0) == Block.section {
            switch number(8) {
            case 0x1A2B_3C4D: isBig = true
            case 0x4D3C_2B1A: isBig = false
            default: return nil
            }
        }
        let length = number(4)
        return Int(isBig ? length : length.byteSwapped)
    }

    /// Takes a whole block; says how many frames it held.
    mutating func take(_ block: UnsafeRawBufferPointer, _ visitor: any CaptureVisitor) -> Int {
        let reader = ByteReader(block)
        guard let type = reader.peek(UInt32.self, at: 0, isBig: isBig) else { return 0 }
        // Without type, length and the length at the end.
        let body = UnsafeRawBufferPointer(rebasing: block[8..<(block.count - 4)])
        switch type {
        case Block.section:
            earlier += interfaces.count
            interfaces = []
            options(body, from: 16) { code, value in
                if code == 1 { visitor.visitComment(Self.text(value)) }
            }
            return 0
        case Block.interface:
            describe(body, visitor)
            return 0
        case Block.enhancedPacket:
            return enhanced(body, visitor)
        case Block.packet:
            return obsolete(body, visitor)
        case Block.simplePacket:
            return simple(body, visitor)
        case Block.names:
            names(body, visitor)
            return 0
        case Block.statistics:
            statistics(body, visitor)
            return 0
        default:
            return 0
        }
    }

    private mutating func describe(_ body: UnsafeRawBufferPointer, _ visitor: any CaptureVisitor) {
        let reader = ByteReader(body)
        guard let type = reader.peek(UInt16.self, at: 0, isBig: isBig),
            let snap = reader.peek(UInt32.self, at: 4, isBig: isBig)
        else { return }
        var clock = BlockClock()
        var name = ""
        var description = ""
        options(body, from: 8) { code, value in
            switch code {
            case 1: visitor.visitComment(Self.text(value))
            case 2: name = Self.text(value)
            case 3: description = Self.text(value)
            case 9: if let byte = value.first { clock.setResolution(byte) }
            case 14:
                let seconds = ByteReader(value).peek(UInt64.self, at: 0, isBig: isBig)
                clock.offset = Int64(bitPattern: seconds ?? 0)
            default: break
            }
        }
        let linkType = LinkType(rawValue: Int32(type))
        visitor.visitInterface(
            earlier + interfaces.count,
            name: name,
            description: description,
            linkType: linkType
        )
        interfaces.append(
            Interface(linkType: linkType, snapLength: snap == 0 ? .max : Int(snap), clock: clock)
        )
    }

    private mutating func enhanced(
        _ body: UnsafeRawBufferPointer,
        _ visitor: any CaptureVisitor
    ) -> Int {
        let reader = ByteReader(body)
        guard let number = reader.peek(UInt32.self, at: 0, isBig: isBig) else { return 0 }
        return frame(body, interface: Int(number), timeAt: 4, visitor)
    }

    private mutating func obsolete(
        _ body: UnsafeRawBufferPointer,
        _ visitor: any CaptureVisitor
    ) -> Int {
        let reader = ByteReader(body)
        guard let number = reader.peek(UInt16.self, at: 0, isBig: isBig) else { return 0 }
        return frame(body, interface: Int(number), timeAt: 4, visitor)
    }

    /// Both packet blocks agree from the time stamp on: high, low, captured, original, data.
    private mutating func frame(
        _ body: UnsafeRawBufferPointer,
        interface number: Int,
        timeAt: Int,
        _ visitor: any CaptureVisitor
    ) -> Int {
        let reader = ByteReader(body)
        guard number < interfaces.count,
            let high = reader.peek(UInt32.self, at: timeAt, isBig: isBig),
            let low = reader.peek(UInt32.self, at: timeAt + 4, isBig: isBig),
            let captured = reader.peek(UInt32.self, at: timeAt + 8, isBig: isBig),
            let original = reader.peek(UInt32.self, at: timeAt + 12, isBig: isBig)
        else { return 0 }
        let start = timeAt + 16
        guard Int(captured) <= body.count - start else { return 0 }
        let interface = interfaces[number]
        let time = interface.clock.nanoseconds(UInt64(high) << 32 | UInt64(low))
        lastTime = time
        let end = start + Int(captured)
        var direction: FrameDirection?
        options(body, from: (end + 3) & ~3) { code, value in
            if code == 1 { visitor.visitComment(Self.text(value)) }
            // Bits 0 and 1 of the flags: 1 inbound, 2 outbound.
            if code == 2, let flags = ByteReader(value).peek(UInt32.self, at: 0, isBig: isBig) {
                direction = flags & 3 == 1 ? .inbound : flags & 3 == 2 ? .outbound : nil
            }
        }
        visitor.visit(
            CapturedFrame(
                interface: earlier + number,
                linkType: interface.linkType,
                nanoseconds: time,
                bytes: UnsafeRawBufferPointer(rebasing: body[start..<end]),
                originalLength: Int(original),
                direction: direction
            )
        )
        return 1
    }

    /// A simple packet has no time: it is taken at that of the packet before.
    private func simple(_ body: UnsafeRawBufferPointer, _ visitor: any CaptureVisitor) -> Int {
        let reader = ByteReader(body)
        guard let first = interfaces.first,
            let original = reader.peek(UInt32.self, at: 0, isBig: isBig)
        else { return 0 }
        let count = min(Int(original), first.snapLength, body.count - 4)
        visitor.visit(
            CapturedFrame(
                interface: earlier,
                linkType: first.linkType,
                nanoseconds: lastTime,
                bytes: UnsafeRawBufferPointer(rebasing: body[4..<(4 + count)]),
                originalLength: Int(original)
            )
        )
        return 1
    }

    private func statistics(_ body: UnsafeRawBufferPointer, _ visitor: any CaptureVisitor) {
        let reader = ByteReader(body)
        guard let number = reader.peek(UInt32.self, at: 0, isBig: isBig),
            Int(number) < interfaces.count
        else { return }
        let clock = interfaces[Int(number)].clock
        var start: Int64?
        var end: Int64?
        options(body, from: 12) { code, value in
            guard code == 2 || code == 3, let time = timestamp(value) else { return }
            if code == 2 { start = clock.nanoseconds(time) } else { end = clock.nanoseconds(time) }
        }
        visitor.visitSpan(ofInterface: earlier + Int(number), start: start, end: end)
    }

    private func timestamp(_ value: UnsafeRawBufferPointer) -> UInt64? {
        let reader = ByteReader(value)
        guard let high = reader.peek(UInt32.self, at: 0, isBig: isBig),
            let low = reader.peek(UInt32.self, at: 4, isBig: isBig)
        else { return nil }
        return UInt64(high) << 32 | UInt64(low)
    }

    private func names(_ body: UnsafeRawBufferPointer, _ visitor: any CaptureVisitor) {
        var reader = ByteReader(body)
        while let type = reader.peek(UInt16.self, at: 0, isBig: isBig), type != 0,
            let length = reader.peek(UInt16.self, at: 2, isBig: isBig), reader.skip(4)
        {
            let value = reader.slice(Int(length))
            let record = ByteReader(value)
            if type == 1, let address = record.peek(UInt32.self), value.count > 4 {
                visitor.visitName(
                    record.text(at: 4, count: value.count - 4),
                    of: IPAddress(ipv4: address)
                )
            } else if type == 2, let high = record.peek(UInt64.self),
                let low = record.peek(UInt64.self, at: 8), value.count > 16
            {
                visitor.visitName(
                    record.text(at: 16, count: value.count - 16),
                    of: IPAddress(high: high, low: low)
                )
            }
            guard reader.skip((Int(length) + 3) & ~3) else { return }
        }
    }

    private func options(
        _ body: UnsafeRawBufferPointer,
        from offset: Int,
        _ take: (UInt16, UnsafeRawBufferPointer) -> Void
    ) {
        guard offset <= body.count else { return }
        var reader = ByteReader(body, at: offset)
        while let code = reader.peek(UInt16.self, at: 0, isBig: isBig), code != 0,
            let length = reader.peek(UInt16.self, at: 2, isBig: isBig), reader.skip(4),
            Int(length) <= reader.remaining
        {
            take(code, reader.slice(Int(length)))
            guard reader.skip((Int(length) + 3) & ~3) else { return }
        }
    }

    private static func text(_ value: UnsafeRawBufferPointer) -> String {
        String(decoding: value.prefix { $0 != 0 }, as: UTF8.self)
    }
}

/// An interface's clock: ticks to nanoseconds.
struct BlockClock: Equatable {
    /// Seconds that are added to every time stamp.
    var offset: Int64 = 0
    private var isBinary = false
    private var exponent: UInt8 = 6

    /// Ticks are 10^-n seconds, or 2^-n with the top bit set (option if_tsresol).
    mutating func setResolution(_ byte: UInt8) {
        isBinary = byte & 0x80 != 0
        exponent = byte & 0x7F
    }

    /// Saturates where 64 bits do not hold the result.
    func nanoseconds(_ ticks: UInt64) -> Int64 {
        let shift = offset.multipliedReportingOverflow(by: 1_000_000_000)
        let base = shift.overflow ? 0 : shift.partialValue
        let span = Int64(clamping: scaled(ticks))
        let sum = base.addingReportingOverflow(span)
        return sum.overflow ? (base < 0 ? .min : .max) : sum.partialValue
    }

    private func scaled(_ ticks: UInt64) -> UInt64 {
        if isBinary {
            let product = ticks.multipliedFullWidth(by: 1_000_000_000)
            if exponent >= 64 { return exponent < 127 ? product.high >> (exponent - 64) : 0 }
            if exponent == 0 { return product.high == 0 ? product.low : .max }
            guard product.high >> exponent == 0 else { return .max }
            return product.high << (64 - exponent) | product.low >> exponent
        }
        var result = ticks
        if exponent <= 9 {
            for _ in exponent..<9 {
                let product = result.multipliedReportingOverflow(by: 10)
                if product.overflow { return .max }
                result = product.partialValue
            }
            return result
        }
        for _ in 9..<min(exponent, 29) { result /= 10 }
        return exponent > 29 ? 0 : result
    }
}
