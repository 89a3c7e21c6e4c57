import Quantities

extension ObjectReader {
    // MARK: quantities

    /// A quantity with its unit, such as `"150ms"`; nil if absent or wrong.
    package func quantity<Q: QuantityText>(_ key: String, as type: Q.Type = Q.self) -> Q? {
        value(key).flatMap { quantity(from: $0, key: key) }
    }

    /// A quantity that has to be there.
    package func requiredQuantity<Q: QuantityText>(
        _ key: String,
        as type: Q.Type = Q.self,
        example: String
    ) -> Q? {
        requiredValue(key, example: "\"\(example)\"").flatMap { quantity(from: $0, key: key) }
    }

    /// A quantity or a range of it, such as `"40ms..120ms"`; nil if absent or wrong.
    package func range<Q: QuantityText & Comparable>(
        _ key: String,
        as type: Q.Type = Q.self
    ) -> QuantityRange<Q>? {
        guard let value = value(key), let text = quantityText(value, key: key) else { return nil }
        return attempt(at: value) { () throws(QuantityError) in try QuantityRange(text: text) }
    }

    /// One quantity or an array of them: `"at": "7min"`, `"at": ["1min", "2min"]`.
    package func quantities<Q: QuantityText>(_ key: String, as type: Q.Type = Q.self) -> [Q] {
        list(key).compactMap { quantity(from: $0, key: key) }
    }

    /// Reads a quantity out of a value.
    package func quantity<Q: QuantityText>(
        from value: JSONCValue,
        key: String,
        as type: Q.Type = Q.self
    ) -> Q? {
        guard let text = quantityText(value, key: key) else { return nil }
        return attempt(at: value) { () throws(QuantityError) in try Q(text: text) }
    }

    private func quantityText(_ value: JSONCValue, key: String) -> String? {
        if let text = value.string { return text }
        var remedy = "write a string with a unit"
        if case .number(let digits) = value.content {
            remedy =
                "quantities carry their unit: \"\(digits)ms\", \"\(digits)KiB\", \"\(digits)%\""
        }
        diagnostics.error(
            at: value.location,
            "\(value.kindText) stands where \"\(key)\" needs a quantity",
            remedy: remedy
        )
        return nil
    }

    private func attempt<R>(
        at value: JSONCValue,
        _ body: () throws(QuantityError) -> R
    ) -> R? {
        do throws(QuantityError) {
            return try body()
        } catch {
            diagnostics.error(
                at: value.location,
                "'\(error.text)' \(error.problem)",
                remedy: error.remedy
            )
            return nil
        }
    }

    // MARK: plain values

    /// A string; nil if absent or something else.
    package func string(_ key: String) -> String? {
        guard let value = value(key) else { return nil }
        if let text = value.string { return text }
        mismatch(value, key: key, needs: "a string")
        return nil
    }

    /// A string that has to be there.
    package func requiredString(_ key: String, example: String) -> String? {
        guard let value = requiredValue(key, example: "\"\(example)\"") else { return nil }
        if let text = value.string { return text }
        mismatch(value, key: key, needs: "a string")
        return nil
    }

    /// Strings: one, or an array of them.
    package func strings(_ key: String) -> [String] {
        list(key).compactMap { value in
            if let text = value.string { return text }
            mismatch(value, key: key, needs: "a string")
            return nil
        }
    }

    /// `true` or `false`; nil if absent or something else.
    package func bool(_ key: String) -> Bool? {
        guard let value = value(key) else { return nil }
        if case .bool(let flag) = value.content { return flag }
        mismatch(value, key: key, needs: "true or false")
        return nil
    }

    /// A whole number within bounds; nil if absent or wrong.
    package func integer(_ key: String, in bounds: ClosedRange<Int>) -> Int? {
        value(key).flatMap { integer(from: $0, key: key, in: bounds) }
    }

    /// Reads a whole number out of a value.
    package func integer(
        from value: JSONCValue,
        key: String,
        in bounds: ClosedRange<Int>
    ) -> Int? {
        guard case .number(let digits) = value.content else {
            mismatch(value, key: key, needs: "a whole number")
            return nil
        }
        guard let number = Int(digits) else {
            diagnostics.error(
                at: value.location,
                "\(digits) is not a whole number in range",
                remedy: "write digits only"
            )
            return nil
        }
        guard bounds.contains(number) else {
            let limit =
                bounds.upperBound == .max
                ? "write \(bounds.lowerBound) or more"
                : "write \(bounds.lowerBound) to \(bounds.upperBound)"
            diagnostics.error(
                at: value.location,
                "\(number) is out of range for \"\(key)\"",
                remedy: limit
            )
            return nil
        }
        return number
    }

    /// One of the names of an enum; a wrong one is reported with the nearest.
    package func choice<E>(_ key: String, of type: E.Type = E.self) -> E?
    where E: RawRepresentable<String> & CaseIterable {
        value(key).flatMap { choice(from: $0, key: key) }
    }

    /// One of the names of an enum that has to be there.
    package func requiredChoice<E>(_ key: String, of type: E.Type = E.self, example: String) -> E?
    where E: RawRepresentable<String> & CaseIterable {
        requiredValue(key, example: "\"\(example)\"").flatMap { choice(from: $0, key: key) }
    }

    /// Reads one of the names of an enum out of a value.
    package func choice<E>(from value: JSONCValue, key: String, of type: E.Type = E.self) -> E?
    where E: RawRepresentable<String> & CaseIterable {
        guard let text = value.string else {
            mismatch(value, key: key, needs: "a name")
            return nil
        }
        if let choice = E(rawValue: text) { return choice }
        diagnostics.error(
            at: value.location,
            "\"\(text)\" is no \"\(key)\" of \(what)",
            remedy: NearestName.remedy(for: text, among: E.allCases.map(\.rawValue))
        )
        return nil
    }

    private func mismatch(_ value: JSONCValue, key: String, needs: String) {
        diagnostics.error(
            at: value.location,
            "\(value.kindText) stands where \"\(key)\" needs \(needs)",
            remedy: "write \(needs)"
        )
    }
}
