import Measurements
import Quantities

extension BudgetRule {
    /// Reads a rule such as `p95 <= 950J`, `max <= 4min` or `p50 <= baseline + 3%`.
    ///
    /// The limit's unit has to be one of the metric's; names under the lab's own subjects have to
    /// be in the catalogue, any other is a user's metric with the unit that its name ends in.
    package init(
        metric name: String,
        text: String,
        level: BudgetLevel = .fail,
        pack: String? = nil
    ) throws(BudgetRuleError) {
        let metric = MetricName(name)
        try Self.check(metric)
        let reader = BudgetRuleReader(text: text, metric: metric)
        let parts = try reader.read()
        self.init(
            metric: metric,
            statistic: parts.statistic,
            comparison: parts.comparison,
            limit: parts.limit,
            level: level,
            text: text,
            pack: pack
        )
    }

    /// Whether `metric` exists and may have a budget.
    private static func check(_ metric: MetricName) throws(BudgetRuleError) {
        if let definition = metric.definition {
            guard let guarantee = definition.guarantee else { return }
            throw BudgetRuleError(
                text: metric.text,
                problem: "cannot have a budget",
                remedy: "the guarantee '\(guarantee)' fails the run on the first one; "
                    + "remove the line"
            )
        }
        guard MetricCatalogue.subjects.contains(metric.subject) || !metric.text.contains(".")
        else { return }
        let near = MetricCatalogue.suggestion(for: metric.text)
        throw BudgetRuleError(
            text: metric.text,
            problem: "is not a metric",
            remedy: near.map { "did you mean \"\($0)\"?" }
                ?? "onebar explain lists all; a metric of your own is named subject.quantity_unit"
        )
    }
}

/// Reads the text of one rule: statistic, comparison, limit.
private struct BudgetRuleReader {
    let text: String
    let metric: MetricName

    struct Parts {
        let statistic: Statistic
        let comparison: BudgetComparison
        let limit: BudgetLimit
    }

    private static let example = "p95 <= 950J"

    func read() throws(BudgetRuleError) -> Parts {
        guard let sign = text.firstIndex(where: { "<>=".contains($0) }) else {
            throw failure(
                "has no comparison",
                "write statistic, comparison and limit: \"\(Self.example)\""
            )
        }
        let statisticText = Self.trimmed(text[..<sign])
        let signText = text[sign...].prefix { "<>=".contains($0) }
        let limitText = Self.trimmed(text[signText.endIndex...])
        guard let statistic = Statistic(rawValue: statisticText) else {
            let known = Statistic.allCases.map(\.rawValue).joined(separator: ", ")
            throw failure(
                statisticText.isEmpty
                    ? "has no statistic" : "has the unknown statistic '\(statisticText)'",
                "write one of \(known), as in \"\(Self.example)\""
            )
        }
        guard let comparison = BudgetComparison(rawValue: String(signText)) else {
            throw failure(
                "has the unknown comparison '\(signText)'",
                "write \"<=\", \"<\" or \">=\""
            )
        }
        return Parts(
            statistic: statistic,
            comparison: comparison,
            limit: try limit(limitText)
        )
    }

    private func limit(_ limitText: String) throws(BudgetRuleError) -> BudgetLimit {
        guard !limitText.isEmpty else {
            throw failure("has no limit", "write a quantity such as \"\(exampleQuantity)\"")
        }
        guard limitText.hasPrefix("baseline") else {
            return .fixed(try quantity(limitText))
        }
        let rest = Self.trimmed(limitText.dropFirst("baseline".count))
        if rest.isEmpty { return .baseline(percent: 0, offset: 0) }
        guard let sign = rest.first, sign == "+" || sign == "-" else {
            throw failure(
                "has '\(rest)' after the baseline",
                "write \"baseline + 3%\" or \"baseline\""
            )
        }
        let factor: Double = sign == "+" ? 1 : -1
        let change = Self.trimmed(rest.dropFirst())
        if change.hasSuffix("%"), let percent = Self.number(Self.trimmed(change.dropLast())) {
            return .baseline(percent: factor * percent, offset: 0)
        }
        return .baseline(percent: 0, offset: factor * (try quantity(change)))
    }

    /// Reads a quantity in the metric's unit.
    private func quantity(_ quantityText: String) throws(BudgetRuleError) -> Double {
        do throws(QuantityError) {
            switch metric.unit {
            case .seconds: return try Duration(text: quantityText).inSeconds
            case .milliseconds: return try Duration(text: quantityText).inSeconds * 1_000
            case .joules: return try Energy(text: quantityText).inJoules
            case .bytes: return Double(try ByteCount(text: quantityText).bytes)
            case .percent:
                if quantityText.hasSuffix("%"),
                    let value = Self.number(Self.trimmed(quantityText.dropLast()))
                {
                    return value
                }
                throw mismatch(quantityText, "a percentage")
            case .count, .ratio:
                if let value = Self.number(quantityText) { return value }
                throw mismatch(quantityText, "a plain number")
            case .millisecondsPerSecond:
                let bare = quantityText.hasSuffix("ms/s") ? quantityText.dropLast(4) : ""
                if let value = Self.number(Self.trimmed(bare)) { return value }
                throw mismatch(quantityText, "milliseconds in a second")
            }
        } catch {
            throw failure(
                "has a limit that is not in the unit of '\(metric)': '\(error.text)' "
                    + "\(error.problem)",
                error.remedy
            )
        }
    }

    private func mismatch(_ quantityText: String, _ what: String) -> QuantityError {
        QuantityError(
            text: quantityText,
            problem: "is not \(what)",
            remedy: "write \(what) such as \"\(exampleQuantity)\""
        )
    }

    private var exampleQuantity: String {
        switch metric.unit {
        case .seconds: "4min"
        case .milliseconds: "150ms"
        case .joules: "950J"
        case .bytes: "52MB"
        case .percent: "12%"
        case .count: "40"
        case .ratio: "1.5"
        case .millisecondsPerSecond: "5ms/s"
        }
    }

    private func failure(_ problem: String, _ remedy: String) -> BudgetRuleError {
        BudgetRuleError(text: text, problem: problem, remedy: remedy)
    }

    /// A decimal number without sign or exponent; underscores between digits are allowed.
    private static func number(_ text: some StringProtocol) -> Double? {
        let digits = text.filter { $0 != "_" }
        guard !digits.isEmpty, digits.first != ".", digits.last != ".",
            digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") })
        else { return nil }
        return Double(String(digits))
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        let start = text.drop { $0 == " " }
        var end = start.endIndex
        while end > start.startIndex, start[start.index(before: end)] == " " {
            end = start.index(before: end)
        }
        return String(start[..<end])
    }
}
