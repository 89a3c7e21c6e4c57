/// The name of a guarantee: something that holds always and has no limit.
package struct GuaranteeName: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The name as reports print it.
    package let text: String

    /// Makes a name of `text`; the lab's own are the static members.
    package init(_ text: String) {
        self.text = text
    }

    /// What was promised takes effect once: not never, not twice, and nothing else does.
    package static let exactlyOnce = GuaranteeName("outbox.exactly_once")
    /// Effects on one entity happen in the order of the actions.
    package static let inOrder = GuaranteeName("outbox.in_order")
    /// The server holds the bytes that the person chose.
    package static let bytesIdentical = GuaranteeName("upload.bytes_identical")
    /// One upload at the server for each file, unless the server let the earlier one expire; none for one taken back.
    package static let createdOnce = GuaranteeName("upload.created_once")
    /// What the app shows never exceeds what the server has kept, and never falls.
    package static let progressHonest = GuaranteeName("upload.progress_honest")
    /// The client keeps to the protocols that it speaks.
    package static let clientProtocol = GuaranteeName("client.protocol")
    /// The client's code does not trap.
    package static let noCrash = GuaranteeName("client.no_crash")
    /// All that was promised is finished by the end of the settling time.
    package static let settles = GuaranteeName("settles")

    /// Nobody is signed out but by the server's own will; judged where a server asks for tokens.
    package static let sessionKept = GuaranteeName("session.kept")

    /// Rows that were committed are there after every start; judged where a workload inserts some.
    package static let rowsKept = GuaranteeName("storage.rows_kept")

    /// The lab's own that every run is judged by, in the order of reports.
    package static let builtIn: [GuaranteeName] = [
        .exactlyOnce, .inOrder, .bytesIdentical, .createdOnce, .progressHonest, .clientProtocol,
        .noCrash, .settles,
    ]

    /// All of the lab's own, with those that need a profile of their kind.
    package static let known = builtIn + [.sessionKept, .rowsKept]

    /// What it promises, as a sentence; a user's own has its own name only.
    package var meaning: String {
        switch self {
        case .exactlyOnce:
            "Every action that was promised takes effect at the server once: none is lost, none "
                + "is doubled, nothing takes effect that nobody asked for, and no message stands that "
                + "the app gave up and called failed."
        case .inOrder:
            "Effects on one entity happen in the order in which the person acted."
        case .bytesIdentical:
            "An upload that finished holds at the server the bytes that the person chose, and no file "
                + "stands there whole that the app called failed."
        case .createdOnce:
            "A file has one upload at the server, unless the server let the earlier one expire; one "
                + "that the person took back is not gone on with."
        case .progressHonest:
            "Shown progress never exceeds what the server has kept, and never falls."
        case .clientProtocol:
            "The client does nothing that the protocols it speaks forbid."
        case .noCrash:
            "The client's code does not trap."
        case .settles:
            "When all faults have healed, everything that was promised finishes before the run ends."
        case .sessionKept:
            "The app signs nobody out whose session the server did not end, and gives the server no "
                + "reason to end it: no refresh token is used again after its successor. Judged where "
                + "the server asks for tokens."
        case .rowsKept:
            "A row that a commit has returned for is there after every later start: after a kill, and "
                + "after a loss of power unless its entry says \"survives\": \"kill\". Judged where a "
                + "workload inserts rows."
        default:
            "A guarantee of the profile's own."
        }
    }

    /// The name.
    package var description: String { text }

    /// Orders the lab's own as listed, then others by text.
    package static func < (left: GuaranteeName, right: GuaranteeName) -> Bool {
        let first = builtIn.firstIndex(of: left) ?? builtIn.count
        let second = builtIn.firstIndex(of: right) ?? builtIn.count
        return (first, left.text) < (second, right.text)
    }
}

extension GuaranteeName: Codable {
    /// Reads the bare text.
    package init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the bare text.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
