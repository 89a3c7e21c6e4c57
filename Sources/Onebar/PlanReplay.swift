import Foundation
import Lab
import Measurements
import Profiles

/// A saved plan, run again in the test that it belongs to: `ONEBAR_REPLAY=PLAN swift test`.
struct PlanReplay {
    let plan: FaultPlan
    let path: String

    /// The plan that this process was started to replay; nil if it was not.
    ///
    /// - Throws: `ProfileError`, if the file is not there or is no plan.
    static func wanted() throws(ProfileError) -> PlanReplay? {
        let environment = ProcessInfo.processInfo.environment
        guard let path = environment["ONEBAR_REPLAY"], !path.isEmpty else { return nil }
        return PlanReplay(plan: try FaultPlanReader.read(path: path), path: path)
    }

    /// Runs the plan, if it belongs to the test at `place`, and throws what breaks; other tests pass.
    func run(_ runner: SeedRunner, _ place: TestPlace) throws {
        if let test = plan.test, test != place.name { return }
        let trial = PlanTrial(runner)
        let outcome = try trial.run(plan, story: true)
        let known = plan.failure?.identity
        let same = outcome.breaches.first { $0.failureIdentity == known }
        if let breach = same ?? outcome.breaches.first {
            let finding = HuntFinding(
                plan: plan,
                breach: breach,
                story: outcome.story,
                firstFaults: plan.faults.count,
                shrinkRuns: 0,
                isMinimal: true
            )
            var lines = ["\(same == nil ? "another failure" : "same failure"): \(path)"]
            lines += FindingFiles.summary(of: finding)
            lines += ["", "everything that happened:"] + FindingFiles.lines(finding.story)
            throw LabFailure(
                lines,
                guarantee: breach.guarantee.text,
                seed: plan.seed,
                plan: path
            )
        }
        guard plan.faults.isEmpty || outcome.fates.contains(.fired) else {
            throw LabFailure([
                "no failure, and no fault of \(path) found its place: the code has changed"
            ])
        }
        try? FileHandle.standardError.write(contentsOf: Data("no failure: \(path)\n".utf8))
    }
}
