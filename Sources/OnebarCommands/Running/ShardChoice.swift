/// Which piece of a sweep to run: `3/64` is every 64th seed, from the third on.
struct ShardChoice: Equatable, Sendable {
    /// Counted from one.
    let index: Int
    /// How many pieces there are.
    let count: Int

    /// Reads `K/N`.
    init(_ text: String) throws(CommandFailure) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let index = parts[0], let count = parts[1],
            (1...100_000).contains(count), (1...count).contains(index)
        else {
            throw .usage("--shard: '\(text)' is no piece", remedy: "write --shard 3/64")
        }
        self.index = index
        self.count = count
    }

    /// The seeds of this piece.
    func seeds(of all: ClosedRange<UInt64>) -> [UInt64] {
        all.enumerated().filter { $0.offset % count == index - 1 }.map(\.element)
    }
}
