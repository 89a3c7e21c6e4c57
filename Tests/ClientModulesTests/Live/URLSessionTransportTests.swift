import ClientModules
import Foundation
import LiveClient
import Synchronization
import Testing

@Suite(.serialized) struct URLSessionTransportTests {
    let transport = URLSessionTransport()

    @Test func `heads and bodies go both ways`() async throws {
        let server = try LoopbackServer { _ in
            "HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nContent-Length: 5\r\n\r\nlater"
        }
        let request = HTTPRequest(
            method: "POST",
            url: try server.url("/messages?q=1"),
            headers: [HTTPHeader("Idempotency-Key", "\"k\"")]
        )
        let response = try await transport.send(
            request,
            body: .data(Data("hello".utf8)),
            progress: nil
        )
        #expect(response.status == 503)
        #expect(response[header: "retry-after"] == "7")
        #expect(try await response.body() == Data("later".utf8))
        let seen = try #require(server.requests.first)
        #expect(seen.head.hasPrefix("POST /messages?q=1 HTTP/1.1\r\n"))
        #expect(seen.hasLine("Idempotency-Key: \"k\""))
        #expect(seen.hasLine("Content-Length: 5"))
        #expect(seen.body == Data("hello".utf8))
    }

    // Servers of tus want a length: a part of a file must not go chunked.
    @Test func `a part of a file is sent with its length`() async throws {
        let phone = try TestPhone()
        let file = try phone.makeFile(count: 500_000)
        let server = try LoopbackServer { _ in
            "HTTP/1.1 204 No Content\r\nUpload-Offset: 300000\r\n\r\n"
        }
        let sent = Mutex<[Int64]>([])
        let response = try await transport.send(
            HTTPRequest(method: "PATCH", url: try server.url("/files/u1")),
            body: .file(path: file, range: 100_000..<300_000)
        ) { bytes in sent.withLock { $0.append(bytes) } }
        #expect(response[header: "Upload-Offset"] == "300000")
        #expect(try await response.body().isEmpty)
        let whole = try #require(FileManager.default.contents(atPath: file))
        let seen = try #require(server.requests.first)
        #expect(seen.body == whole[100_000..<300_000])
        #expect(seen.hasLine("Content-Length: 200000"))
        #expect(!seen.head.lowercased().contains("transfer-encoding"))
        #expect(sent.withLock { $0.last } == 200_000)
    }

    @Test func `a file that is not there and a part that is too large are errors`() async throws {
        let phone = try TestPhone()
        let file = try phone.makeFile(count: 1_000)
        let server = try LoopbackServer { _ in "HTTP/1.1 204 No Content\r\n\r\n" }
        let small = URLSessionTransport(bufferLimit: 100)
        let request = HTTPRequest(method: "PATCH", url: try server.url("/"))
        func code(_ transport: URLSessionTransport, _ body: HTTPRequestBody) async -> URLError.Code?
        {
            do {
                _ = try await transport.send(request, body: body, progress: nil)
                return nil
            } catch {
                return (error as? URLError)?.code
            }
        }
        let missing = await code(transport, .file(path: file + ".not", range: 0..<10))
        #expect(missing == .fileDoesNotExist)
        let short = await code(transport, .file(path: file, range: 500..<2_000))
        #expect(short == .requestBodyStreamExhausted)
        let large = await code(small, .file(path: file, range: 0..<500))
        #expect(large == .dataLengthExceedsMaximum)
        // The whole file streams at any size.
        let whole = await code(small, .file(path: file, range: 0..<1_000))
        #expect(whole == nil)
        #expect(server.requests.map(\.body.count) == [1_000])
    }

    @Test func `a redirect of a POST is its answer`() async throws {
        let server = try LoopbackServer { request in
            request.head.hasPrefix("POST")
                ? "HTTP/1.1 302 Found\r\nLocation: /login\r\nContent-Length: 0\r\n\r\n"
                : "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        }
        let response = try await transport.send(
            HTTPRequest(method: "POST", url: try server.url("/")),
            body: .data(Data([1])),
            progress: nil
        )
        #expect(response.status == 302)
        #expect(server.requests.count == 1)
    }

    @Test func `a port where nobody listens is a connection that failed`() async throws {
        // Port 1 (tcpmux) is reserved and has no service on any machine of today.
        let closed = try #require(URL(string: "http://127.0.0.1:1/"))
        let error = await #expect(throws: URLError.self) {
            _ = try await transport.send(
                HTTPRequest(method: "GET", url: closed),
                body: .none,
                progress: nil
            )
        }
        #expect(error.map(FailureClass.init) == .connectFail)
    }

    @Test func `an exchange that breaks is ambiguous`() async throws {
        let server = try LoopbackServer { _ in "" }
        let error = await #expect(throws: URLError.self) {
            _ = try await transport.send(
                HTTPRequest(method: "POST", url: try server.url("/")),
                body: .data(Data([1])),
                progress: nil
            )
        }
        #expect(error.map(FailureClass.init) == .ambiguous)
    }

    @Test func `a cancelled call ends with URLError cancelled`() async throws {
        let server = try LoopbackServer { _ in nil }
        let transport = transport
        let url = try server.url("/")
        let code = await withTaskGroup(of: URLError.Code?.self) { group in
            group.addTask {
                do {
                    _ = try await transport.send(
                        HTTPRequest(method: "GET", url: url),
                        body: .none,
                        progress: nil
                    )
                    return nil
                } catch {
                    return (error as? URLError)?.code
                }
            }
            // The server holds the request, so the call hangs until it is cancelled.
            while server.requests.isEmpty { await Task.yield() }
            group.cancelAll()
            return await group.next() ?? nil
        }
        #expect(code == .cancelled)
    }
}
