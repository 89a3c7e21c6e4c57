import Quantities

extension NetemReader {
    /// The words after a queueing discipline's name, with tc's units.
    struct Arguments {
        private var words: ArraySlice<String>
        let line: Int

        init(words: ArraySlice<String>, line: Int) {
            self.words = words
            self.line = line
        }

        mutating func next() -> String? { words.popFirst() }

        /// Whether the next word begins with a digit.
        var isNumber: Bool { words.first?.first?.isNumber ?? false }

        mutating func take(_ word: String) -> Bool {
            guard words.first == word else { return false }
            words.removeFirst()
            return true
        }

        mutating func skipNumbers() {
            while isNumber { words.removeFirst() }
        }

        mutating func count(_ name: String) throws(ExchangeError) -> Int {
            let word = next() ?? ""
            if let count = Int(word), count > 0 { return count }
            let (value, unit) = Self.split(word)
            let scale: Int? = ["b": 1, "kb": 1_024, "k": 1_024, "mb": 1_048_576][unit]
            guard let scale, let bytes = DecimalText.scaled(value, digits: 0) else {
                throw wrong(word, name, "write a whole number, such as 1000")
            }
            return Int(bytes) * scale
        }

        /// Units s, ms, us, ns and their long forms; microseconds without one (tc(8)).
        mutating func time(_ name: String) throws(ExchangeError) -> Duration {
            let word = next() ?? ""
            let (value, unit) = Self.split(word)
            let digits: [String: Int] = [
                "s": 9, "sec": 9, "secs": 9, "ms": 6, "msec": 6, "msecs": 6, "us": 3, "usec": 3,
                "usecs": 3, "": 3, "ns": 0, "nsec": 0, "nsecs": 0,
            ]
            guard let scale = digits[unit], let count = DecimalText.scaled(value, digits: scale)
            else { throw wrong(word, name, "write a time, such as 100ms") }
            return .nanoseconds(count)
        }

        /// Units bit, kbit, mbit, gbit and their kibit forms; bps, kbps … are bytes (tc(8)).
        mutating func rate(_ name: String) throws(ExchangeError) -> BitRate {
            let word = next() ?? ""
            let (value, unit) = Self.split(word)
            var prefix = unit
            var scale: Int64 = 1
            if prefix.hasSuffix("bit") {
                prefix.removeLast(3)
            } else if prefix.hasSuffix("bps") {
                prefix.removeLast(3)
                scale = 8
            }
            let factors: [String: Int64] = [
                "": 1, "k": 1_000, "m": 1_000_000, "g": 1_000_000_000,
                "ki": 1 << 10, "mi": 1 << 20, "gi": 1 << 30,
            ]
            // Six decimals are kept, then cut to whole bits a second.
            guard let factor = factors[prefix], let count = DecimalText.scaled(value, digits: 6),
                count <= Int64.max / (factor * scale)
            else { throw wrong(word, name, "write a rate, such as 1mbit; kbps are kilobytes") }
            return BitRate(bitsPerSecond: count * factor * scale / 1_000_000)
        }

        mutating func percent(_ name: String) throws(ExchangeError) -> Probability {
            let word = next() ?? ""
            let digits = word.hasSuffix("%") ? word.dropLast() : Substring(word)
            guard let millionths = DecimalText.scaled(digits, digits: 6), millionths <= 100_000_000
            else { throw wrong(word, name, "write a percentage from 0 to 100, such as 1%") }
            return Probability(UInt64(millionths), of: 100_000_000)
        }

        private func wrong(_ word: String, _ name: String, _ remedy: String) -> ExchangeError {
            let what = word.isEmpty ? "\(name) has no value" : "'\(word)' is no value for \(name)"
            return ExchangeError(line: line, what, remedy: remedy)
        }

        private static func split(_ word: String) -> (value: Substring, unit: String) {
            let value = word.prefix { $0.isNumber || $0 == "." }
            return (value, word.dropFirst(value.count).lowercased())
        }
    }
}
