/// The memory that all handles of one file share, in regions, with eight lock slots.
///
/// Lives for as long as a handle refers to it, so that a dead process which still runs on writes
/// into memory that nobody reads.
final class SharedRegions {
    private(set) var regions: [UnsafeMutableRawPointer] = []
    private var sizes: [Int] = []
    /// Handles of living processes that use it.
    var handles: [Unmanaged<DiskHandle>] = []

    deinit {
        for region in regions { region.deallocate() }
    }

    func region(_ index: Int, size: Int, extend: Bool) -> UnsafeMutableRawPointer? {
        guard index >= regions.count else { return regions[index] }
        guard extend else { return nil }
        while regions.count <= index {
            let region = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 64)
            region.initializeMemory(as: UInt8.self, repeating: 0, count: size)
            regions.append(region)
            sizes.append(size)
        }
        return regions[index]
    }

    /// Clears the two copies of the wal-index header, 48 bytes each (sqlite.org/walformat).
    ///
    /// Readers then rebuild the index from the WAL itself.
    func invalidateIndex() {
        guard let first = regions.first, let size = sizes.first else { return }
        first.initializeMemory(as: UInt8.self, repeating: 0, count: min(96, size))
    }
}
