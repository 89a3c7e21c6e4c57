import Profiles
import Quantities

/// Options that several commands read alike.
enum RunOptions {
    /// `--jobs`: worker processes side by side; one unless said.
    static func jobCount(_ arguments: ParsedArguments) throws(CommandFailure) -> Int {
        guard let text = arguments.value("--jobs") else { return 1 }
        guard let jobs = Int(text), (1...1_024).contains(jobs) else {
            throw .usage("'\(text)' is no number of jobs", remedy: "write --jobs 2")
        }
        return jobs
    }

    /// `--from`: the number of a hunt's first plan, from zero.
    static func firstPlan(_ arguments: ParsedArguments) throws(CommandFailure) -> Int {
        guard let text = arguments.value("--from") else { return 0 }
        // Far more than a hunt of a year comes to, and far from an overflow.
        guard let number = Int(text), (0...1_000_000_000_000).contains(number) else {
            throw .usage(
                "--from: '\(text)' is no number of a plan",
                remedy: "write --from 40000, as a hunt that ended has told"
            )
        }
        return number
    }

    /// `--seeds`: nil unless said.
    static func seedRange(_ arguments: ParsedArguments) throws(CommandFailure) -> SeedRange? {
        guard let text = arguments.value("--seeds") else { return nil }
        do {
            return try SeedRange(text: text)
        } catch {
            throw .usage("--seeds: '\(error.text)' \(error.problem)", remedy: error.remedy)
        }
    }

    /// `--for`: a span of the host's time; nil unless said.
    static func span(_ arguments: ParsedArguments) throws(CommandFailure) -> Duration? {
        guard let text = arguments.value("--for") else { return nil }
        let span: Duration
        do throws(QuantityError) {
            span = try Duration(text: text)
        } catch {
            throw .usage("--for: '\(error.text)' \(error.problem)", remedy: error.remedy)
        }
        guard span > .zero else {
            throw .usage("--for: '\(text)' is no time", remedy: "write --for 60s")
        }
        return span
    }

    /// A whole number within bounds; nil unless said.
    static func count(
        _ name: String,
        _ arguments: ParsedArguments,
        in bounds: ClosedRange<Int>
    ) throws(CommandFailure) -> Int? {
        guard let text = arguments.value(name) else { return nil }
        guard let count = Int(text), bounds.contains(count) else {
            throw .usage(
                "'\(name) \(text)' is no number from \(bounds.lowerBound) to \(bounds.upperBound)",
                remedy: "write \(name) \(max(bounds.lowerBound, min(bounds.upperBound, 10)))"
            )
        }
        return count
    }
}
