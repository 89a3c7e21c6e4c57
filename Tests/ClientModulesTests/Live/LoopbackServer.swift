import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A server on loopback that reads one request a connection and answers as it is told.
final class LoopbackServer: Sendable {
    /// A request as it came over the wire.
    struct Received: Sendable {
        var head: String
        var body: Data

        /// Whether the head has this line, whatever the case of its name.
        func hasLine(_ line: String) -> Bool {
            head.lowercased().contains("\r\n" + line.lowercased() + "\r\n")
        }
    }

    /// What is written back before the connection is closed; nil keeps it open and silent.
    typealias Answer = @Sendable (Received) -> String?

    let port: Int
    private let socket: Int32
    private let received = Mutex<[Received]>([])
    private let held = Mutex<[Int32]>([])

    var requests: [Received] { received.withLock { $0 } }

    init(_ answer: @escaping Answer) throws {
        #if canImport(Glibc)
        let type = Int32(SOCK_STREAM.rawValue)
        #else
        let type = SOCK_STREAM
        #endif
        let socket = Foundation.socket(AF_INET, type, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(socket, generic, length) == 0 && listen(socket, 8) == 0
                    && getsockname(socket, generic, &length) == 0
            }
        }
        guard socket >= 0, isBound else { throw POSIXError(.EADDRNOTAVAIL) }
        self.socket = socket
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { [weak self] in
            while true {
                let connection = accept(socket, nil, nil)
                guard connection >= 0, let self else { return }
                self.handle(connection, answer)
            }
        }
    }

    deinit {
        shutdown(socket, Int32(SHUT_RDWR))
        close(socket)
        for connection in held.withLock({ $0 }) { close(connection) }
    }

    func url(_ path: String) throws -> URL {
        guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else {
            throw URLError(.badURL)
        }
        return url
    }

    private func handle(_ connection: Int32, _ answer: Answer) {
        var data = Data()
        let separator = Data("\r\n\r\n".utf8)
        var end: Data.Index?
        var wanted = 0
        while end == nil || data.count < wanted {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = read(connection, &buffer, buffer.count)
            guard count > 0 else { break }
            data.append(contentsOf: buffer[0..<count])
            if end == nil, let range = data.range(of: separator) {
                end = range.upperBound
                wanted = range.upperBound + Self.length(in: data[..<range.upperBound])
            }
        }
        let split = end ?? data.endIndex
        let request = Received(
            head: String(decoding: data[..<split], as: UTF8.self),
            body: Data(data[split...])
        )
        received.withLock { $0.append(request) }
        guard let text = answer(request) else {
            return held.withLock { $0.append(connection) }
        }
        let bytes = Array(text.utf8)
        _ = write(connection, bytes, bytes.count)
        shutdown(connection, Int32(SHUT_WR))
        close(connection)
    }

    private static func length(in head: Data) -> Int {
        let lines = String(decoding: head, as: UTF8.self).lowercased().split(separator: "\r\n")
        let line = lines.first { $0.hasPrefix("content-length:") }
        return line.flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
    }
}
