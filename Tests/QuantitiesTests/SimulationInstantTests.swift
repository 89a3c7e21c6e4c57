import Foundation
import Quantities
import Testing

@Suite struct SimulationInstantTests {
    @Test func `an instant is stored as its nanoseconds and nothing else`() throws {
        let stored = try JSONEncoder().encode([SimulationInstant(nanoseconds: 1_500_000_000)])
        #expect(String(decoding: stored, as: UTF8.self) == "[1500000000]")
        #expect(
            try JSONDecoder().decode([SimulationInstant].self, from: stored)
                == [SimulationInstant(nanoseconds: 1_500_000_000)]
        )
    }

    @Test func `a result that was stored with an object for each instant can still be read`() throws
    {
        let stored = Data(#"[{"nanoseconds":1500000000}]"#.utf8)
        #expect(
            try JSONDecoder().decode([SimulationInstant].self, from: stored)
                == [SimulationInstant(nanoseconds: 1_500_000_000)]
        )
    }

    @Test(arguments: [#"["1.5s"]"#, #"[{"seconds":1}]"#, "[1.5]", "[null]"])
    func `what is no instant is refused`(_ text: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([SimulationInstant].self, from: Data(text.utf8))
        }
    }

    @Test
    func `an instant moves by a number of nanoseconds as it does by a span, to the end of time`() {
        let start = SimulationInstant(nanoseconds: 7)
        #expect(start.advanced(byNanoseconds: 3_000_000_000) == start + .seconds(3))
        #expect(
            SimulationInstant.distantFuture.advanced(byNanoseconds: 1) == .distantFuture
        )
    }
}
