import Foundation

/// What a person would be told of an error, without private data.
enum RefusalReason {
    /// "URLError.timedOut", or the error's own words cut at 120 characters.
    static func text(of error: any Error) -> String {
        if let error = error as? URLError { return "URLError.\(error.code.name)" }
        return String(String(describing: error).prefix(120))
    }
}
