import Foundation

/// What a person would be told of an error, without private data.
enum RefusalReason {
    /// "URLError.timedOut", or the error's own words cut at 120 characters.
    static func text(of error: any Error) -> String {
        if let error = error as? URLError { return "URLError.\(error.code.name)" }
        return String(withoutQueries(String(describing: error)).prefix(120))
    }

    /// `text` with whatever follows a question mark in a word cut off: an address keeps no query.
    static func withoutQueries(_ text: String) -> String {
        guard text.contains("?") else { return text }
        var result = ""
        var isQuery = false
        for character in text {
            if character.isWhitespace || "\"'<>(),".contains(character) { isQuery = false }
            if !isQuery { result.append(character) }
            if character == "?" { isQuery = true }
        }
        return result
    }
}
