/// What a request says before its body: method, host, target and fields.
package struct HTTPRequestHead: Equatable, Sendable {
    /// The method, in capitals.
    package var method: String
    /// The host that is asked, without a port.
    package var host: String
    /// Path and query.
    package var target: String
    /// Header fields, without Host and Content-Length: `wireSize` counts those.
    package var fields: HTTPFieldList
    /// Length of the body, or zero.
    package var bodyLength: Int

    /// Makes a head.
    package init(
        method: String,
        host: String,
        target: String,
        fields: HTTPFieldList = .init(),
        bodyLength: Int = 0
    ) {
        self.method = method
        self.host = host
        self.target = target
        self.fields = fields
        self.bodyLength = bodyLength
    }

    /// The target without its query: all that a report may print.
    package var path: String {
        String(target.prefix { $0 != "?" })
    }

    /// Bytes of the head in HTTP/1.1 (RFC 9112): request line, Host, Content-Length, fields, blank line.
    package var wireSize: Int {
        let requestLine = method.utf8.count + target.utf8.count + 12
        let length = bodyLength > 0 ? 18 + String(bodyLength).utf8.count : 0
        return requestLine + 8 + host.utf8.count + length + fields.wireSize + 2
    }
}
