import Quantities

/// The bytes of one file in pages of 4 KiB, shared between copies until one of them writes.
///
/// Copying the whole costs one retain; a write copies only the pages it touches. A page that was
/// never written is a hole: zeros that take no block. A file that was put there as synthetic content
/// takes its blocks, but holds no bytes: its pages are made as they are read, until one is written.
struct PageStore {
    /// Bytes in a page, and in a block of the device.
    static let pageSize = 4_096

    private var pages: [Page?] = []
    /// What pages without bytes of their own hold, in the first `madeSize` bytes of the file.
    private var made = SyntheticContent(seed: 0, length: .zero)
    private var madeSize: Int64 = 0
    /// Bytes in the file.
    private(set) var size: Int64 = 0
    /// Pages that take a block.
    private(set) var blocks = 0

    /// Makes an empty file.
    init() {}

    /// Makes a file that holds `content`.
    init(_ content: SyntheticContent) {
        grow(toHold: content.length)
        made = content
        madeSize = content.length
        size = content.length
        blocks = pages.count
    }

    /// Blocks that a write would add.
    func blocksAdded(byWriting count: Int, at offset: Int64) -> Int {
        guard count > 0 else { return 0 }
        let first = Int(offset) / Self.pageSize
        let last = (Int(offset) + count - 1) / Self.pageSize
        var added = 0
        for index in first...last where index >= pages.count || isHole(index) { added += 1 }
        return added
    }

    /// Copies what is there into `buffer`; returns how many bytes there were.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
        guard offset < size, let out = buffer.baseAddress else { return 0 }
        let count = Int(min(Int64(buffer.count), size - offset))
        var done = 0
        while done < count {
            let position = Int(offset) + done
            let within = position % Self.pageSize
            let span = min(count - done, Self.pageSize - within)
            if let page = pages[position / Self.pageSize] {
                (out + done).copyMemory(from: page.bytes + within, byteCount: span)
            } else {
                make(out + done, count: span, at: Int64(position))
            }
            done += span
        }
        return count
    }

    /// Writes all of `buffer`, growing the file when needed.
    mutating func write(_ buffer: UnsafeRawBufferPointer, at offset: Int64) {
        write(buffer, at: offset, sharing: nil) { _ in true }
    }

    /// Writes all of `buffer` as `write` does, and shares pages with `other`, which holds the same and more.
    ///
    /// A page that `isOpen` says may differ there is written instead.
    mutating func write(
        _ buffer: UnsafeRawBufferPointer,
        at offset: Int64,
        sharing other: PageStore?,
        unless isOpen: (Int) -> Bool
    ) {
        guard let source = buffer.baseAddress, !buffer.isEmpty else { return }
        let end = offset + Int64(buffer.count)
        grow(toHold: end)
        var done = 0
        while done < buffer.count {
            let position = Int(offset) + done
            let (index, within) = position.quotientAndRemainder(dividingBy: Self.pageSize)
            let span = min(buffer.count - done, Self.pageSize - within)
            if let other, !isOpen(index), index < other.pages.count, let page = other.pages[index] {
                if isHole(index) { blocks += 1 }
                pages[index] = page
            } else {
                let page = writablePage(index, keeping: span < Self.pageSize)
                (page + within).copyMemory(from: source + done, byteCount: span)
            }
            done += span
        }
        size = max(size, end)
    }

    /// How many pages are kept here and not shared with `other`.
    func pagesApart(from other: PageStore) -> Int {
        pages.indices.count { index in
            guard let page = pages[index] else { return false }
            return index >= other.pages.count || other.pages[index] !== page
        }
    }

    /// Cuts or extends the file; new bytes are zeros.
    mutating func truncate(to newSize: Int64) {
        guard newSize < size else {
            grow(toHold: newSize)
            size = newSize
            return
        }
        let kept = Int((newSize + Int64(Self.pageSize) - 1) / Int64(Self.pageSize))
        for index in kept..<pages.count where !isHole(index) { blocks -= 1 }
        pages.removeSubrange(kept...)
        madeSize = min(madeSize, newSize)
        let within = Int(newSize) % Self.pageSize
        if within > 0, pages[kept - 1] != nil {
            let page = writablePage(kept - 1, keeping: true)
            (page + within).initializeMemory(
                as: UInt8.self,
                repeating: 0,
                count: Self.pageSize - within
            )
        }
        size = newSize
    }

    /// Whether the page holds nothing and takes no block.
    private func isHole(_ index: Int) -> Bool {
        pages[index] == nil && Int64(index * Self.pageSize) >= madeSize
    }

    /// Writes `count` bytes of a page that has none of its own: made ones, then zeros.
    private func make(_ out: UnsafeMutableRawPointer, count: Int, at position: Int64) {
        let known = Int(max(0, min(madeSize - position, Int64(count))))
        if known > 0 {
            made.fill(UnsafeMutableRawBufferPointer(start: out, count: known), from: position)
        }
        if known < count {
            (out + known).initializeMemory(as: UInt8.self, repeating: 0, count: count - known)
        }
    }

    private mutating func grow(toHold end: Int64) {
        let needed = Int((end + Int64(Self.pageSize) - 1) / Int64(Self.pageSize))
        guard needed > pages.count else { return }
        pages.append(contentsOf: repeatElement(nil, count: needed - pages.count))
    }

    /// A page that nobody shares; its old bytes are there when they are to be kept.
    private mutating func writablePage(_ index: Int, keeping: Bool) -> UnsafeMutableRawPointer {
        if pages[index] == nil {
            if isHole(index) { blocks += 1 }
            let page = Page()
            if keeping {
                make(page.bytes, count: Self.pageSize, at: Int64(index * Self.pageSize))
            }
            pages[index] = page
            return page.bytes
        }
        if isKnownUniquelyReferenced(&pages[index]), let page = pages[index] { return page.bytes }
        let page = Page()
        if keeping, let shared = pages[index] {
            page.bytes.copyMemory(from: shared.bytes, byteCount: Self.pageSize)
        }
        pages[index] = page
        return page.bytes
    }
}

/// One page on the heap.
private final class Page {
    let bytes: UnsafeMutableRawPointer

    init() {
        bytes = .allocate(byteCount: PageStore.pageSize, alignment: 16)
    }

    deinit {
        bytes.deallocate()
    }
}
