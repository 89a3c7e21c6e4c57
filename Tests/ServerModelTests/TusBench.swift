import HTTPVocabulary
import Quantities
import ServerModel
import SimulationKernel
import Testing
import Trace

/// The requests of a well-behaved tus client, by hand.
extension ServerBench {
    static let tus = ("Tus-Resumable", "1.0.0")

    /// Creates an upload; its address is the answer's Location.
    @discardableResult
    func create(
        _ length: Int,
        filename: String? = "f1",
        fields: [(String, String)] = []
    ) -> BenchExchange {
        var all = [Self.tus, ("Upload-Length", String(length))] + fields
        if filename == "f1" { all.append(("Upload-Metadata", "filename ZjE=")) }
        return send("POST", "/files", all)
    }

    /// The head of a PATCH.
    func openPatch(
        _ upload: String,
        offset: Int,
        length: Int,
        fields: [(String, String)] = []
    ) -> BenchExchange {
        let all = [
            Self.tus, ("Content-Type", "application/offset+octet-stream"),
            ("Upload-Offset", String(offset)),
        ]
        return open("PATCH", "/files/\(upload)", all + fields, length: length)
    }

    /// A whole PATCH.
    @discardableResult
    func patch(
        _ upload: String,
        offset: Int,
        _ bytes: [UInt8],
        fields: [(String, String)] = []
    ) -> BenchExchange {
        let exchange = openPatch(upload, offset: offset, length: bytes.count, fields: fields)
        if !bytes.isEmpty { server.receive(bytes, of: exchange) }
        server.end(exchange)
        return exchange
    }

    /// What HEAD says of an upload.
    @discardableResult
    func head(_ upload: String) -> BenchExchange {
        send("HEAD", "/files/\(upload)", [Self.tus])
    }

    /// A PATCH of which only `bytes` arrive before the connection breaks.
    @discardableResult
    func breakPatch(
        _ upload: String,
        offset: Int,
        length: Int,
        after bytes: [UInt8],
        fields: [(String, String)] = []
    ) -> BenchExchange {
        let exchange = openPatch(upload, offset: offset, length: length, fields: fields)
        server.receive(bytes, of: exchange)
        server.lost(exchange)
        return exchange
    }
}

/// Bytes that count up from the lower bound, as test content.
func counting(_ range: Range<Int>) -> [UInt8] {
    range.map { UInt8(truncatingIfNeeded: $0) }
}
