import SimulationKernel
import Testing

@Suite struct HashingCheckTests {
    @Test func `the tests run with deterministic hashing`() throws {
        try HashingCheck.require(line: "scripts/test")
    }

    @Test func `its absence prints the line to run`() {
        let error = RandomHashingError(line: "scripts/test")
        #expect(error.description.hasSuffix("run: SWIFT_DETERMINISTIC_HASHING=1 scripts/test"))
    }
}
