import HTTPVocabulary

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

/// Writes JSON strings.
enum JSONText {
    /// `text` in quotes, with what must be escaped escaped (RFC 8259, section 7).
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
