import HTTPVocabulary
import Profiles
import ServerModel

/// What plain calls of the workload ask the server for: an answer of a given size.
enum EchoRoute {
    /// The request field that says how many bytes of body the answer shall have.
    static let sizeField = "Onebar-Response-Size"

    /// Lets the server answer every route that the workload calls.
    static func serve(_ workload: [WorkloadEntry], by server: SimulatedServer) {
        var known: Set<String> = ["POST /messages"]
        for entry in workload {
            guard let call = entry.action.call, known.insert(call.route).inserted
            else { continue }
            server.serve(call.route) { head in
                let size = head.fields[sizeField].flatMap { Int($0) } ?? 0
                return HTTPResponseMessage(
                    status: 200,
                    fields: HTTPFieldList([("Content-Type", "text/plain")]),
                    body: [UInt8](repeating: 0x61, count: size)
                )
            }
        }
    }
}
