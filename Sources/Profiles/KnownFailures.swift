import Budgets
import Foundation

/// Reads `known-failures.jsonc`: what may fail for now, why, who mends it, and until when.
///
/// `[{ "profile": "commute", "failure": "outbox.in_order", "reason": "…", "owner": "…",
/// "until": "2027-01-31" }]`
package enum KnownFailures {
    /// Reads the file at `path`; every mistake in it is thrown together.
    package static func read(
        _ path: String,
        in library: ProfileLibrary
    ) throws(ProfileError) -> [KnownFailure] {
        let document = try library.document(at: path)
        let diagnostics = ProfileDiagnostics()
        guard let entries = document.root.elements else {
            diagnostics.error(
                at: document.root.location,
                "\(document.root.kindText) stands where known failures belong",
                remedy: "write [ { \"profile\": … } ]"
            )
            try diagnostics.throwIfErrors()
            return []
        }
        let known = entries.compactMap { entry(of: $0, diagnostics) }
        try diagnostics.throwIfErrors()
        return known
    }

    private static func entry(
        of value: JSONCValue,
        _ diagnostics: ProfileDiagnostics
    ) -> KnownFailure? {
        let reader = ObjectReader(value, as: "known failure", diagnostics: diagnostics)
        let profile = reader.requiredString("profile", example: "\"commute\"")
        let failure = reader.requiredString("failure", example: "\"outbox.exactly_once\"")
        let reason = reader.requiredString("reason", example: "\"waits for the server's fix\"")
        let owner = reader.requiredString("owner", example: "\"messaging\"")
        let until = reader.requiredString("until", example: "\"2027-01-31\"")
        reader.finish()
        for (key, text) in [("reason", reason), ("owner", owner)] where text?.isEmpty == true {
            reader.fail(key, "the \(key) is empty", remedy: "write it down for the next reader")
        }
        if let until, !isDay(until) {
            reader.fail("until", "'\(until)' is no date", remedy: "write \"2027-01-31\"")
        }
        guard let profile, let failure, let reason, let owner, let until else { return nil }
        let place = value.location
        return KnownFailure(
            profile: profile,
            failure: failure,
            reason: reason,
            owner: owner,
            until: until,
            place: "\(place.path):\(place.line):\(place.column)"
        )
    }

    /// Whether `text` is a day that the calendar has, as YYYY-MM-DD.
    static func isDay(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.count) == [4, 2, 2], let year = Int(parts[0]),
            let month = Int(parts[1]), let day = Int(parts[2]), text.allSatisfy(\.isASCII)
        else { return false }
        let components = DateComponents(
            calendar: Calendar(identifier: .gregorian),
            year: year,
            month: month,
            day: day
        )
        return components.isValidDate
    }
}
