/// A whole response: status, fields and body.
package struct HTTPResponseMessage: Equatable, Sendable {
    /// The status code, 100...599.
    package var status: Int
    /// Header fields, without Content-Length: `headWireSize` counts it.
    package var fields: HTTPFieldList
    /// The body's bytes.
    package var body: [UInt8]

    /// Makes a response.
    package init(status: Int, fields: HTTPFieldList = .init(), body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// Bytes of the head in HTTP/1.1: status line of 17 on average ("HTTP/1.1 200 OK"), fields, blank line.
    package var headWireSize: Int {
        17 + 18 + String(body.count).utf8.count + fields.wireSize + 2
    }
}
