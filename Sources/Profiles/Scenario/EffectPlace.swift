/// A thing that a process does to the world, as a fault names it: the call it strikes in.
package struct EffectPlace: Equatable, Sendable {
    /// What it does.
    package enum Verb: String, Sendable, CaseIterable {
        /// Bytes into a file.
        case write
        /// A sync of a file or folder.
        case sync
        /// A file cut or grown.
        case truncate
        /// A file removed.
        case delete
        /// A file renamed.
        case rename
        /// A request handed to the network.
        case send
    }

    /// On which side of the effect the fault strikes.
    package enum Side: String, Sendable, CaseIterable {
        /// The effect does not happen.
        case before
        /// The effect happens; the call does not return.
        case after
    }

    /// What is done.
    package var verb: Verb
    /// To what: a file's name without its folder, or a request line; nil for anything.
    package var subject: String?
    /// The how-manieth of those in the launch, from one.
    package var nth: Int
    /// Which launch of the app, from one.
    package var launch: Int
    /// Whether the effect still happens.
    package var side: Side

    /// Makes a place.
    package init(
        _ verb: Verb,
        of subject: String? = nil,
        nth: Int,
        launch: Int = 1,
        side: Side = .before
    ) {
        self.verb = verb
        self.subject = subject
        self.nth = nth
        self.launch = launch
        self.side = side
    }

    /// The place in words: "before write 3 of outbox.sqlite-wal in launch 1".
    package var text: String {
        let of = subject.map { " of \($0)" } ?? ""
        return "\(side.rawValue) \(verb.rawValue) \(nth)\(of) in launch \(launch)"
    }

    /// Whether an effect of this label is of the kind that is counted.
    package func counts(_ verb: String, label: String) -> Bool {
        guard verb == self.verb.rawValue else { return false }
        guard let subject else { return true }
        guard let rest = Self.rest(of: label.utf8, before: subject.utf8) else { return false }
        return rest.isEmpty || rest.last == UInt8(ascii: "/")
    }

    /// What stands in `text` before its end of `end`; nil if it ends otherwise.
    private static func rest(
        of text: String.UTF8View,
        before end: String.UTF8View
    ) -> Substring.UTF8View? {
        guard text.count >= end.count, text.suffix(end.count).elementsEqual(end) else { return nil }
        return text.dropLast(end.count)
    }
}
