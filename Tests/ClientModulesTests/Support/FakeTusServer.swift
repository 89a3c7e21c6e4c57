import ClientModules
import Foundation
import Synchronization

/// A tus 1.0 server that keeps bytes, with a fate for each request.
final class FakeTusServer: Sendable {
    /// What happens to a request.
    enum Fate: Sendable {
        case normal
        /// It happens, and nobody hears of it.
        case responseLost
        /// Nothing arrives.
        case requestLost
        /// Of a chunk, this many bytes arrive before the line breaks.
        case broken(after: Int)
        /// This answer, and nothing happens.
        case refused(Int, [HTTPHeader] = [])
    }

    /// One upload.
    struct Upload: Sendable {
        var length: Int
        var metadata: String
        var bytes = Data()
    }

    private struct State {
        var uploads: [String: Upload] = [:]
        var creations: [String: String] = [:]
        var created = 0
        var fates: [Int: Fate] = [:]
        var honoursKeys = true
        var bytesPerSecond: Int64 = 1 << 20
        var forgotten: Set<String> = []
    }

    private let state = Mutex(State())

    init(_ fates: [Int: Fate] = [:]) {
        state.withLock { $0.fates = fates }
    }

    /// Uploads by name: "u1" is the first.
    var uploads: [String: Upload] { state.withLock { $0.uploads } }

    func setFate(_ number: Int, _ fate: Fate) {
        state.withLock { $0.fates[number] = fate }
    }

    func ignoreKeys() {
        state.withLock { $0.honoursKeys = false }
    }

    func setRate(_ bytesPerSecond: Int64) {
        state.withLock { $0.bytesPerSecond = bytesPerSecond }
    }

    /// Drops an upload: what is asked of it is answered 410.
    func forget(_ name: String) {
        state.withLock { state in
            state.uploads[name] = nil
            state.forgotten.insert(name)
        }
    }

    /// Answers a request, over a line that takes 0.1 s and the time of the body.
    func serve(_ seen: SeenRequest, _ number: Int) -> Reply {
        state.withLock { state in
            let fate = state.fates[number] ?? .normal
            let span: Duration = .milliseconds(
                100 + Int64(seen.body.count) * 1_000 / state.bytesPerSecond
            )
            switch fate {
            case .requestLost:
                return .fails(.networkConnectionLost, after: span)
            case .refused(let status, let headers):
                return .answer(status, headers, after: span)
            case .broken(let count):
                var part = seen
                part.body = seen.body.prefix(count)
                _ = Self.answer(part, &state)
                return .fails(.networkConnectionLost, after: span)
            case .responseLost:
                _ = Self.answer(seen, &state)
                return .fails(.networkConnectionLost, after: span)
            case .normal:
                let (status, headers) = Self.answer(seen, &state)
                return .answer(status, headers, after: span)
            }
        }
    }

    private static func answer(
        _ seen: SeenRequest,
        _ state: inout State
    ) -> (Int, [HTTPHeader]) {
        guard seen["Tus-Resumable"] == "1.0.0" else { return (412, []) }
        if seen.request.method == "POST" { return create(seen, &state) }
        let name = seen.request.url.lastPathComponent
        guard var upload = state.uploads[name] else {
            return (state.forgotten.contains(name) ? 410 : 404, [])
        }
        switch seen.request.method {
        case "HEAD":
            return (
                200,
                [
                    HTTPHeader("Upload-Offset", "\(upload.bytes.count)"),
                    HTTPHeader("Upload-Length", "\(upload.length)"),
                ]
            )
        case "PATCH":
            guard seen["Content-Type"] == "application/offset+octet-stream" else {
                return (415, [])
            }
            guard seen["Upload-Offset"] == "\(upload.bytes.count)" else { return (409, []) }
            upload.bytes.append(seen.body)
            state.uploads[name] = upload
            return (204, [HTTPHeader("Upload-Offset", "\(upload.bytes.count)")])
        case "DELETE":
            state.uploads[name] = nil
            return (204, [])
        default:
            return (405, [])
        }
    }

    private static func create(
        _ seen: SeenRequest,
        _ state: inout State
    ) -> (Int, [HTTPHeader]) {
        guard let length = seen["Upload-Length"].flatMap({ Int($0) }),
            let metadata = seen["Upload-Metadata"], let key = seen["Idempotency-Key"]
        else { return (400, []) }
        if state.honoursKeys, let name = state.creations[key] {
            return (201, [HTTPHeader("Location", "/files/\(name)")])
        }
        state.created += 1
        let name = "u\(state.created)"
        state.uploads[name] = Upload(length: length, metadata: metadata)
        state.creations[key] = name
        return (201, [HTTPHeader("Location", "/files/\(name)")])
    }
}
