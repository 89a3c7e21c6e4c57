extension ProfileClosure {
    /// A digest of all that the files say but comments, layout, budgets, tags, seeds and the app.
    ///
    /// Budget packs are budgets. The app's settings are what is under test: a change of them is to be compared, not refused.
    /// Two runs with the same digest had the same weather, seed by seed: their figures can be paired.
    /// FNV-1a (64 bits) over a canonical text, as 16 hexadecimal digits.
    package var weather: String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func mix(_ text: String) {
            for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        }
        for file in files where FileCheck.kind(of: file.path) != .budgets {
            // What does not parse was refused before; its text stands for itself.
            if let document = try? JSONCDocument.parse(text: file.text, path: file.path) {
                mix(Self.canonical(document.root, depth: 0, under: ""))
            } else {
                mix(file.text)
            }
            mix("\n")
        }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Keys of the outermost object that are no weather.
    private static let judging: Set<String> = ["app", "budgets", "tags", "$schema"]

    private static func canonical(_ value: JSONCValue, depth: Int, under key: String) -> String {
        switch value.content {
        case .null: return "null"
        case .bool(let flag): return flag ? "true" : "false"
        case .number(let digits): return digits
        case .string(let text): return "\"\(text)\""
        case .array(let elements):
            return "["
                + elements.map { canonical($0, depth: depth + 1, under: "") }
                .joined(separator: ",") + "]"
        case .object(let members):
            let kept = members.filter { member in
                !(depth == 0 && judging.contains(member.key))
                    && !(depth == 1 && key == "run" && member.key == "seeds")
            }
            return "{"
                + kept.map {
                    "\"\($0.key)\":" + canonical($0.value, depth: depth + 1, under: $0.key)
                }
                .joined(separator: ",") + "}"
        }
    }
}
