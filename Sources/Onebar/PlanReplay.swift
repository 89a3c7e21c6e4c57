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

    /// Why the test at `place` runs nothing: the plan belongs to another one; nil if it is its own.
    func refusal(of place: TestPlace) -> String? {
        guard let test = plan.test, test != place.name else { return nil }
        return "not run: \(place.name): ONEBAR_REPLAY names \(path), a plan of \(test)"
    }

    /// Runs the plan, if it belongs to the test at `place`, and throws what breaks.
    ///
    /// Another test ends without a failure, and says on stderr and in its report that nothing ran.
    func run(_ runner: SeedRunner, _ place: TestPlace) throws -> LabReport {
        if let refusal = refusal(of: place) {
            Self.note(refusal)
            return LabReport(notRun: refusal)
        }
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
        guard plan.struck(outcome.fates) else {
            throw LabFailure([
                "no failure, and no fault of \(path) found its place: the code has changed"
            ])
        }
        Self.note("no failure: \(path)")
        return LabReport(runs: 1, faults: plan.faults.count)
    }

    private static func note(_ line: String) {
        try? FileHandle.standardError.write(contentsOf: Data("\(line)\n".utf8))
    }
}
