import Budgets

/// Colours for a terminal, or none: the words alone always say it too.
struct TerminalPaint {
    let isColored: Bool

    func good(_ text: String) -> String { painted(text, "32") }
    func bad(_ text: String) -> String { painted(text, "1;31") }
    func warning(_ text: String) -> String { painted(text, "33") }
    func strong(_ text: String) -> String { painted(text, "1") }
    func faint(_ text: String) -> String { painted(text, "2") }

    /// The word that a run's or a gate's text begins with.
    func word(for verdict: RunVerdict.Kind) -> String {
        switch verdict {
        case .pass: good("PASS")
        case .warn: warning("PASS with warnings")
        case .fail: bad("FAIL")
        case .undecided: warning("NOT DECIDED")
        }
    }

    /// Select graphic rendition (ECMA-48, 8.3.117), then reset.
    private func painted(_ text: String, _ code: String) -> String {
        isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
