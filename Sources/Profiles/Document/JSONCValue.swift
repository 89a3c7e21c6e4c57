/// A value of a JSONC file, with the place of every key and value, in the order of the file.
package struct JSONCValue: Sendable {
    /// Where the value begins.
    package let location: SourceLocation
    /// The value.
    package let content: Content

    /// What a value can be.
    package indirect enum Content: Sendable {
        case null
        case bool(Bool)
        /// The digits as written, so that nothing passes through floating point.
        case number(String)
        case string(String)
        case array([JSONCValue])
        case object([JSONCMember])
    }

    /// Makes a value.
    package init(_ content: Content, at location: SourceLocation) {
        self.content = content
        self.location = location
    }

    /// The members if this is an object.
    package var members: [JSONCMember]? {
        guard case .object(let members) = content else { return nil }
        return members
    }

    /// The elements if this is an array.
    package var elements: [JSONCValue]? {
        guard case .array(let elements) = content else { return nil }
        return elements
    }

    /// The text if this is a string.
    package var string: String? {
        guard case .string(let text) = content else { return nil }
        return text
    }

    /// The value of `key` if this is an object that has it; linear in the number of keys.
    package subscript(key: String) -> JSONCValue? {
        members?.first { $0.key == key }?.value
    }

    /// What it is, for error messages: "a string", "the number 7".
    package var kindText: String {
        switch content {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .number(let digits): "the number \(digits)"
        case .string(let text): "the string \"\(text)\""
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// This object with the members of `other` put over its own; nested objects are merged likewise.
    ///
    /// As RFC 7396 (JSON Merge Patch) has it: `null` takes a member away, and anything but two objects
    /// is replaced whole. The order is that of this object, then what `other` adds. Values keep the
    /// places that they came from, so an error in an override points at the override.
    package func overlaid(by other: JSONCValue) -> JSONCValue {
        guard case .object(var merged) = content, case .object(let over) = other.content else {
            return other
        }
        for member in over {
            if case .null = member.value.content {
                merged.removeAll { $0.key == member.key }
                continue
            }
            if let index = merged.firstIndex(where: { $0.key == member.key }) {
                let value = merged[index].value.overlaid(by: member.value)
                merged[index] = JSONCMember(
                    key: member.key,
                    keyLocation: member.keyLocation,
                    value: value
                )
            } else {
                merged.append(member)
            }
        }
        return JSONCValue(.object(merged), at: other.location)
    }
}

/// A key and its value.
package struct JSONCMember: Sendable {
    /// The key, escapes resolved.
    package let key: String
    /// Where the key's quote stands.
    package let keyLocation: SourceLocation
    /// The value.
    package let value: JSONCValue

    /// Makes a member.
    package init(key: String, keyLocation: SourceLocation, value: JSONCValue) {
        self.key = key
        self.keyLocation = keyLocation
        self.value = value
    }
}
