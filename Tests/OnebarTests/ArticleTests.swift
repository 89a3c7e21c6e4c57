import Foundation
import Onebar
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A module that measures how long its person waits for an answer.
actor Search {
    private let launch: Launch

    init(_ launch: Launch) { self.launch = launch }

    func look(for number: Int) async throws {
        guard let url = URL(string: "https://api.example.com/searches") else { return }
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = Data(#"{"id":"s\#(number)"}"#.utf8)
        let began = ContinuousClock.now
        _ = try await launch.http.data(for: request)
        launch.measure("search.answer_ms", (ContinuousClock.now - began) / .milliseconds(1))
    }
}

/// The tests that the article on testing your own module shows, to the letter.
@Suite(.serialized) struct ArticleTests {
    @Test func `a search answers within a second while the street is calm`() async throws {
        let lab = Lab(conditions: "commute-no-faults", seeds: 1...2)
        try await lab.run { world in
            world.server.accept("POST /searches", identity: .json("id"))
            let phone = world.install { launch in Search(launch) }
            phone.tap(every: .seconds(20), count: 5) { search, n in try await search.look(for: n) }
            world.budget("search.answer_ms", "p90 <= 1000ms")
        }
    }

    @Test func `the same search does not answer within a millisecond`() async throws {
        let failure = await #expect(throws: LabFailure.self) {
            try await Lab(conditions: "commute-no-faults", seeds: 1...1).run { world in
                world.server.accept("POST /searches", identity: .json("id"))
                let phone = world.install { launch in Search(launch) }
                phone.tap(every: .seconds(20), count: 5) { try await $0.look(for: $1) }
                world.budget("search.answer_ms", "p90 <= 1ms")
            }
        }
        #expect(failure?.description.contains("search.answer_ms") == true)
    }
}
