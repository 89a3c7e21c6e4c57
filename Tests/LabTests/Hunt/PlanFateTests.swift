import Lab
import Profiles
import Testing

/// Whether a plan still tests anything.
@Suite struct PlanFateTests {
    private static let fault = FaultEntry(
        .killProcess(relaunch: nil),
        .at(.seconds(1))
    )

    @Test func `a plan has its place when one of its faults struck`() {
        let plan = FaultPlan(profile: "p", seed: 1, faults: [Self.fault, Self.fault])
        #expect(plan.struck([.skipped, .fired]))
        #expect(!plan.struck([.skipped, .skipped]))
        // It came due and found nothing to harm: nothing was tested.
        #expect(!plan.struck([.absorbed, .skipped]))
        #expect(FaultPlan(profile: "p", seed: 1, faults: []).struck([]))
    }
}
