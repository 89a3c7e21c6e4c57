import Lab

/// Something of your own that has to hold, declared up front and checked by your code as it runs.
///
/// `world.always`, `world.never` and `world.sometimes` make one. One that no run ever checks fails
/// the test: it would guard nothing.
public final class Guarantee: Sendable {
    /// What is promised of the condition.
    enum Kind: Sendable {
        /// True at every check.
        case always
        /// True at no check.
        case never
        /// True at one check at least, over all runs of the test.
        case sometimes
        /// True within a span after everything has healed; the lab asks.
        case eventually
    }

    /// The name under which it is reported.
    public let name: String
    let kind: Kind
    private unowned let book: GuaranteeBook

    init(_ name: String, _ kind: Kind, in book: GuaranteeBook) {
        self.name = name
        self.kind = kind
        self.book = book
    }

    /// Checks the condition here and now, in the app's own time.
    ///
    /// What a dying launch says no longer counts. `message` is told when it breaks; `subject` names whom it
    /// happened to, such as the identity of a message, so that the story is that one's.
    public func check(
        _ condition: Bool,
        _ message: @autoclosure () -> String = "",
        of subject: String = ""
    ) {
        guard let launch = book.note(self, holds: condition) else { return }
        let words: String
        switch kind {
        case .always where !condition: words = "it was false"
        case .never where condition: words = "it was true"
        default: return
        }
        let detail = message()
        launch.broke(name, detail.isEmpty ? words : "\(words): \(detail)", subject)
    }
}
