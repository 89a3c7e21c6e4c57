/// All files that a profile was made of, for caches and for the report.
package struct ProfileClosure: Equatable, Sendable {
    /// One file and its text.
    package struct File: Equatable, Sendable {
        /// As error messages name it.
        package let path: String
        /// Its text.
        package let text: String

        /// Makes a file.
        package init(path: String, text: String) {
            self.path = path
            self.text = text
        }
    }

    /// The profile first, then what it names, in the order of reading; each once.
    package private(set) var files: [File] = []

    /// Makes an empty closure.
    package init() {}

    /// Adds a file unless it is there already.
    package mutating func add(path: String, text: String) {
        guard !files.contains(where: { $0.path == path }) else { return }
        files.append(File(path: path, text: text))
    }

    /// FNV-1a (64 bits) over the files' texts in order, each with its length before it.
    ///
    /// Paths do not enter, so the same profile hashes alike wherever it lies.
    /// Constants: draft-eastlake-fnv, section 5.
    package var digest: UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func mix(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        for file in files {
            let bytes = file.text.utf8
            for shift in stride(from: 0, to: 64, by: 8) {
                mix(UInt8(truncatingIfNeeded: bytes.count >> shift))
            }
            for byte in bytes { mix(byte) }
        }
        return hash
    }
}
