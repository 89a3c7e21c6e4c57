import Foundation
import Onebar

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A module that posts letters from memory, right or wrong in one of many ways.
actor Postman {
    enum Defect: Sendable {
        case none
        /// The third letter is thrown away.
        case losesOne
        /// The newest letter goes first.
        case lastInFirstOut
        /// Posts a letter that nobody wrote.
        case inventsOne
        /// A key for each attempt instead of one for each letter.
        case keyMadeAtSend
        /// Sends each letter a day later.
        case sleepsForADay
    }

    private let http: SimulatedHTTP
    private let defect: Defect
    private var bag: [(id: String, key: UUID)] = []
    private var isWalking = false
    private(set) var delivered = 0

    init(http: SimulatedHTTP, defect: Defect = .none) {
        self.http = http
        self.defect = defect
    }

    /// Takes a letter: from here on it is promised.
    func take(_ id: String) {
        guard defect != .losesOne || id != "m3" else { return }
        bag.append((id, UUID()))
        if defect == .inventsOne, id == "m2" { bag.append(("advertisement", UUID())) }
        Task { await walk() }
    }

    private func walk() async {
        guard !isWalking else { return }
        isWalking = true
        defer { isWalking = false }
        if defect == .sleepsForADay { try? await Task.sleep(for: .seconds(86_400)) }
        while !bag.isEmpty {
            let index = defect == .lastInFirstOut ? bag.count - 1 : 0
            let letter = bag[index]
            if await post(letter.id, key: defect == .keyMadeAtSend ? UUID() : letter.key) {
                bag.removeAll { $0.id == letter.id }
                delivered += 1
            } else {
                try? await Task.sleep(for: .seconds(2))
            }
        }
    }

    private func post(_ id: String, key: UUID) async -> Bool {
        guard let url = URL(string: "https://post.example.com/letters") else { return false }
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.timeoutInterval = 20
        request.setValue("\"\(key.uuidString)\"", forHTTPHeaderField: "Idempotency-Key")
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = Data(#"{"id":"\#(id)"}"#.utf8)
        let answer = try? await http.data(for: request, delegate: nil)
        return (200..<300).contains((answer?.1 as? HTTPURLResponse)?.statusCode ?? 0)
    }
}
