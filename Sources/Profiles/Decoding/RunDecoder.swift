import Quantities

/// Reads a profile's `run`.
struct RunDecoder {
    let diagnostics: ProfileDiagnostics

    func decode(_ value: JSONCValue?) -> RunConfiguration {
        var run = RunConfiguration()
        guard let value else { return run }
        let reader = ObjectReader(value, as: "run", diagnostics: diagnostics)
        if let seeds = reader.value("seeds") { run.seeds = decodeSeeds(seeds) ?? run.seeds }
        run.duration = reader.quantity("for")
        run.settle = reader.quantity("settle") ?? run.settle
        let screen: ScreenState = reader.choice("screen") ?? .on
        run.isScreenOn = screen == .on
        reader.finish()
        return run
    }

    private func decodeSeeds(_ value: JSONCValue) -> SeedRange? {
        let text: String
        switch value.content {
        case .number(let digits): text = digits
        case .string(let string): text = string
        default:
            diagnostics.error(
                at: value.location,
                "\(value.kindText) stands where seeds belong",
                remedy: "write one seed or a range: \"seeds\": \"1..20\""
            )
            return nil
        }
        do throws(QuantityError) {
            return try SeedRange(text: text)
        } catch {
            diagnostics.error(
                at: value.location,
                "'\(error.text)' \(error.problem)",
                remedy: error.remedy
            )
            return nil
        }
    }
}

/// Whether somebody looks at the phone.
enum ScreenState: String, CaseIterable {
    case on
    case off
}
