import Testing

@testable import PhoneModel

/// What lies on the device of a file whose last changes are still on their way.
@Suite struct InodeSettlingTests {
    private func write(_ inode: Inode, at offset: Int64, _ bytes: [UInt8]) {
        add(inode, .write(offset: offset, bytes: bytes))
    }

    private func add(_ inode: Inode, _ change: PendingOperation.Change) {
        let operation = PendingOperation(sequence: 0, stamp: 0, client: 1, change: change)
        operation.apply(to: &inode.cached)
        inode.pending.append(operation)
    }

    private func bytes(_ store: PageStore) -> [UInt8] {
        var read = [UInt8](repeating: 0xEE, count: Int(store.size))
        let count = read.withUnsafeMutableBytes { store.read(into: $0, at: 0) }
        #expect(count == read.count)
        return read
    }

    // Frames of 4,120 bytes, as a log has them: each ends within a page, and the next begins there. One frame
    // is always on its way; of the pages of the 99 before it, the one that it begins in and none else is apart.
    @Test func `a log that grows is kept once`() {
        let inode = Inode(number: 1)
        for frame in 0..<100 {
            write(inode, at: Int64(frame) * 4_120, [UInt8](repeating: UInt8(frame), count: 4_120))
            add(inode, .sync(isFull: true))
            if frame > 0 { inode.settle(first: 2) }
        }
        #expect(inode.pending.count == 2)
        #expect(inode.durable.size == 99 * 4_120)
        #expect(inode.durable.pagesApart(from: inode.cached) == 1)
        #expect(bytes(inode.durable) == (0..<99).flatMap { [UInt8](repeating: $0, count: 4_120) })
    }

    // An array of bytes is the oracle: changes in order, each whole.
    @Test func `whatever settles is what was changed until then`() {
        var draw: UInt64 = 42
        func below(_ bound: Int) -> Int {
            draw = draw &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((draw >> 33) % UInt64(bound))
        }
        let inode = Inode(number: 1)
        var safe: [UInt8] = []
        var changes: [PendingOperation.Change] = []
        for _ in 0..<2_000 {
            let change: PendingOperation.Change
            switch below(20) {
            case 0: change = .truncate(size: Int64(below(30_000)))
            case 1...4: change = .sync(isFull: false)
            default:
                let content = [UInt8](repeating: UInt8(1 + below(255)), count: 1 + below(9_000))
                change = .write(offset: Int64(below(30_000)), bytes: content)
            }
            add(inode, change)
            changes.append(change)
            guard below(4) == 0 else { continue }
            let count = below(changes.count + 1)
            inode.settle(first: count)
            for settled in changes[..<count] { Self.apply(settled, to: &safe) }
            changes.removeFirst(count)
            #expect(bytes(inode.durable) == safe)
            #expect(inode.durable.blocks == Self.blocks(inode.durable))
            var all = safe
            for open in changes { Self.apply(open, to: &all) }
            #expect(bytes(inode.cached) == all)
        }
    }

    private static func apply(_ change: PendingOperation.Change, to bytes: inout [UInt8]) {
        switch change {
        case .write(let offset, let content):
            let end = Int(offset) + content.count
            if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
            bytes.replaceSubrange(Int(offset)..<end, with: content)
        case .truncate(let size):
            let missing = Int(size) - bytes.count
            if missing > 0 { bytes += [UInt8](repeating: 0, count: missing) }
            bytes.removeLast(max(0, -missing))
        case .sync:
            break
        }
    }

    /// Pages that hold something.
    private static func blocks(_ store: PageStore) -> Int { store.pagesApart(from: PageStore()) }
}
