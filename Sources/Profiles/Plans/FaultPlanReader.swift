import Foundation
import Measurements

/// Reads a plan's file; every mistake is told with its place and remedy, all at once.
package enum FaultPlanReader {
    /// Reads the file at `path`.
    ///
    /// - Throws: `ProfileError`; its kind is `missing` when the file is not there.
    package static func read(path: String) throws(ProfileError) -> FaultPlan {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ProfileError(
                problems: [
                    ProfileProblem(
                        at: SourceLocation(path: path),
                        "there is no plan here",
                        remedy: "name a file that 'onebar hunt' saved"
                    )
                ],
                kind: .missing
            )
        }
        return try decode(JSONCDocument.parse(bytes: [UInt8](data), path: path))
    }

    /// Reads a plan from text that stands at `path`.
    package static func read(text: String, path: String) throws(ProfileError) -> FaultPlan {
        try decode(JSONCDocument.parse(text: text, path: path))
    }

    private static func decode(_ document: JSONCDocument) throws(ProfileError) -> FaultPlan {
        let diagnostics = ProfileDiagnostics()
        let reader = ObjectReader(document.root, as: "plan", diagnostics: diagnostics)
        let format = reader.requiredString("format", example: FaultPlan.format)
        if let format, format != FaultPlan.format {
            reader.fail(
                "format",
                "the plan is of format \"\(format)\"",
                remedy: "this onebar reads \"\(FaultPlan.format)\""
            )
        }
        let profile = reader.requiredString("profile", example: "commute")
        let test = reader.string("test")
        let seed = reader.integer("seed", in: 0...Int.max) ?? 1
        let faults = FaultDecoder(diagnostics: diagnostics).decode(reader)
        let failure = failure(reader.object("failure"))
        reader.finish()
        try diagnostics.throwIfErrors()
        return FaultPlan(
            profile: profile ?? "",
            seed: UInt64(seed),
            faults: faults,
            failure: failure,
            test: test
        )
    }

    private static func failure(_ reader: ObjectReader?) -> PlannedFailure? {
        guard let reader else { return nil }
        let guarantee = reader.requiredString("guarantee", example: "settles")
        let entity = reader.string("entity") ?? ""
        let owner = reader.string("owner") ?? ""
        let message = reader.string("message") ?? ""
        reader.finish()
        guard let guarantee else { return nil }
        return PlannedFailure(
            identity: FailureIdentity(
                guarantee: GuaranteeName(guarantee),
                entity: entity,
                owner: owner
            ),
            message: message
        )
    }
}
