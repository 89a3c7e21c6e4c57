/// One value of a profile that the command line replaces: `app.retry=full-jitter`.
package struct ProfileOverride: Equatable, Sendable {
    /// The keys from the outermost object down.
    package let path: [String]
    /// The value as written: JSON, or a bare word that stands for a string.
    package let value: String
    /// The option that it was written with, for errors; `--set` unless said.
    package let option: String

    /// Reads `KEY.KEY=VALUE`; nil if there is no key or no value.
    package init?(_ text: String) {
        guard let equals = text.firstIndex(of: "=") else { return nil }
        self.init(key: String(text[..<equals]), value: String(text[text.index(after: equals)...]))
    }

    /// Makes an override of a dotted key; nil if a part of it or the value is empty.
    package init?(key: String, value: String, option: String = "--set") {
        let parts = key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard !parts.contains(""), !value.isEmpty else { return nil }
        path = parts
        self.value = value
        self.option = option
    }

    /// The dotted key.
    package var key: String { path.joined(separator: ".") }

    /// As the command line has it.
    package var text: String { "\(key)=\(value)" }

    /// Puts the value into `root`; throws where it is no JSON.
    ///
    /// It replaces what stands there whole, objects too.
    func applied(to root: JSONCValue) throws(ProfileError) -> JSONCValue {
        let shown = "\(option) \(key)"
        let parsed: JSONCValue
        do throws(ProfileError) {
            parsed = try JSONCDocument.parse(text: value, path: shown).root
        } catch {
            // `full-jitter` and `60s` are words; what begins like JSON was meant as such.
            guard let first = value.first, !"{[\"".contains(first) else { throw error }
            parsed = JSONCValue(.string(value), at: SourceLocation(path: shown))
        }
        return root.replacing(path[...], with: parsed)
    }
}

extension JSONCValue {
    /// This object with the value at `path` replaced; objects on the way are made where missing.
    fileprivate func replacing(_ path: ArraySlice<String>, with value: JSONCValue) -> JSONCValue {
        guard let key = path.first else { return value }
        var members = self.members ?? []
        let rest = path.dropFirst()
        let nothing = JSONCValue(.object([]), at: value.location)
        if let index = members.firstIndex(where: { $0.key == key }) {
            members[index] = JSONCMember(
                key: key,
                keyLocation: members[index].keyLocation,
                value: members[index].value.replacing(rest, with: value)
            )
        } else {
            members.append(
                JSONCMember(
                    key: key,
                    keyLocation: value.location,
                    value: nothing.replacing(rest, with: value)
                )
            )
        }
        return JSONCValue(.object(members), at: location)
    }
}
