import HTTPVocabulary

/// Takes in what becomes of a request; called from kernel events, in order of time.
///
/// After `finished` or `failed` nothing more comes. A cancelled request is told nothing.
package protocol HTTPClientEvents: AnyObject {
    /// So many bytes of the body were handed to the socket; they may never arrive.
    func handedOver(_ bytes: Int64, of token: RequestToken)
    /// The response's head is there.
    func responseHead(status: Int, fields: HTTPFieldList, of token: RequestToken)
    /// The next bytes of the response's body.
    func bodyChunk(_ bytes: [UInt8], of token: RequestToken)
    /// The response is complete.
    func finished(_ token: RequestToken)
    /// The exchange is over without a whole response.
    func failed(_ failure: TransportFailure, of token: RequestToken)
}

/// Bytes of a request's body, read as the socket takes them.
package protocol RequestBodySource: AnyObject {
    /// All bytes of the body.
    var length: Int { get }
    /// The bytes of `range`; nil if they can no longer be read, which aborts the exchange.
    func read(_ range: Range<Int>) -> [UInt8]?
}

/// A body that lies in memory.
package final class MemoryBody: RequestBodySource {
    private let bytes: [UInt8]

    /// Makes a body of `bytes`.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// All bytes of the body.
    package var length: Int { bytes.count }

    /// The bytes of `range`.
    package func read(_ range: Range<Int>) -> [UInt8]? {
        Array(bytes[range])
    }
}
