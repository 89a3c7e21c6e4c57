import Quantities

/// Tools whose link conditions are read or written.
package enum ExchangeFormat: String, Sendable, CaseIterable {
    /// Packet-delivery traces of mm-link.
    case mahimahi
    /// Parameters of `Network.emulateNetworkConditions` (Chrome DevTools Protocol).
    case devtools
    /// Profiles of Apple's Network Link Conditioner, as a property list.
    case nlc
    /// Toxics of Shopify's toxiproxy, as JSON.
    case toxiproxy
    /// Commands of Linux's tc with its netem queueing discipline.
    case netem
    /// A capture; what is read from it is an estimate.
    case pcap

    /// Formats that can be written as well.
    package static let exported: [ExchangeFormat] = [.netem, .toxiproxy, .devtools, .mahimahi]
}

/// Why a tool's file could not be read: the line, what is wrong, and what to do.
package struct ExchangeError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Counted from one; zero means the file as a whole.
    package var line: Int
    /// What is wrong, with the value.
    package var what: String
    /// What to do about it.
    package var remedy: String

    /// Describes a mistake.
    package init(line: Int = 0, _ what: String, remedy: String) {
        self.line = line
        self.what = what
        self.remedy = remedy
    }

    /// `error: what (remedy)`, without the place.
    package var description: String { "error: \(what) (\(remedy))" }

    /// The same as a profile's problem, in the file at `path`.
    package func problem(in path: String) -> ProfileProblem {
        let place =
            line == 0
            ? SourceLocation(path: path) : SourceLocation(path: path, line: line, column: 1)
        return ProfileProblem(at: place, what, remedy: remedy)
    }
}
