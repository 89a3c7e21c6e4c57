import Budgets
import Lab
import Measurements
import Profiles
import Testing

/// Faults that come at random instants, a mean time apart.
@Suite struct RandomFaultTests {
    // A Poisson process: 20,000 s hold 10,000 of mean 2 s, with a standard deviation of sqrt(10,000) = 100;
    // 300 is three of them, 3 %. No connection is open, so each is absorbed; none comes while all heals.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func `randomly_every has its mean`(seed: UInt64) throws {
        let changes = [
            #"faults=[{"fault":"connection.reset","randomly_every":"2s","strict":false}]"#,
            #"run={"seeds":1,"for":"20000s","settle":"1h"}"#,
            #"workload=[{"do":"message.send","at":"1s","size":"200B"}]"#,
        ].compactMap { ProfileOverride($0) }
        let scenario = try ScenarioReader.scenario("messages-and-upload", overrides: changes)
        let faults = try LabRuns.run(scenario, seeds: [seed]).seeds[0].faults
        let count = faults[0].fired + faults[0].absorbed
        #expect(abs(count - 10_000) < 300, "\(count)")
    }
}
