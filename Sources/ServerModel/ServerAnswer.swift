import HTTPVocabulary
import Quantities

/// What the server answers, and what its log says of it.
struct ServerAnswer {
    /// The response.
    var response: HTTPResponseMessage
    /// What was done, as half a sentence.
    var outcome: String
    /// Whether an outage, a script or capacity made the answer.
    var isRefusal = false

    /// Makes an answer with a problem in its body (RFC 9457).
    static func problem(
        _ status: Int,
        _ title: String,
        fields: [(String, String)] = [],
        isRefusal: Bool = false
    ) -> ServerAnswer {
        var list = HTTPFieldList(fields)
        list.append("Content-Type", "application/problem+json")
        let text = "{\"title\":\(JSONText.quoted(title)),\"status\":\(status)}"
        return ServerAnswer(
            response: HTTPResponseMessage(status: status, fields: list, body: Array(text.utf8)),
            outcome: title,
            isRefusal: isRefusal
        )
    }

    /// Makes an answer without a body.
    static func empty(
        _ status: Int,
        _ outcome: String,
        fields: [(String, String)] = []
    ) -> ServerAnswer {
        ServerAnswer(
            response: HTTPResponseMessage(status: status, fields: HTTPFieldList(fields)),
            outcome: outcome
        )
    }
}
