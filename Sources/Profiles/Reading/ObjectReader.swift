import Quantities

/// Reads one object of a file into typed values and reports everything that is wrong with it.
///
/// Each call names a key, so `finish()` knows which keys nobody asked for. Problems are collected,
/// not thrown: a call that fails reports why and answers nil, and the caller goes on with a default.
package final class ObjectReader {
    /// Where the object begins.
    package let location: SourceLocation
    /// What the object is, for messages: "device", "fault".
    package let what: String
    /// Where problems go.
    package let diagnostics: ProfileDiagnostics
    private let members: [JSONCMember]
    private var asked: [String] = []

    /// Makes a reader; anything but an object is reported and reads as an empty one.
    package init(_ value: JSONCValue, as what: String, diagnostics: ProfileDiagnostics) {
        location = value.location
        self.what = what
        self.diagnostics = diagnostics
        if let members = value.members {
            self.members = members
        } else {
            members = []
            diagnostics.error(
                at: value.location,
                "\(value.kindText) stands where \(what) belongs",
                remedy: "write an object: { \"key\": value }"
            )
        }
    }

    /// The value of `key`, counted as asked for; nil if it is absent.
    package func value(_ key: String) -> JSONCValue? {
        if !asked.contains(key) { asked.append(key) }
        return members.first { $0.key == key }?.value
    }

    /// The value of `key`; its absence is an error.
    package func requiredValue(_ key: String, example: String) -> JSONCValue? {
        if let value = value(key) { return value }
        diagnostics.error(
            at: location,
            "\(what) has no \"\(key)\"",
            remedy: "add \"\(key)\": \(example)"
        )
        return nil
    }

    /// Whether the key is there; does not count as asking for it.
    package func has(_ key: String) -> Bool { members.contains { $0.key == key } }

    /// Where the key stands, or the object if it is absent.
    package func location(of key: String) -> SourceLocation {
        members.first { $0.key == key }?.keyLocation ?? location
    }

    /// Keys in the order of the file.
    package var keys: [String] { members.map(\.key) }

    /// Reports an error at the value of `key`, or at the object if the key is absent.
    package func fail(_ key: String, _ problem: String, remedy: String) {
        let place = members.first { $0.key == key }?.value.location ?? location
        diagnostics.error(at: place, problem, remedy: remedy)
    }

    /// Reports every key that nobody asked for, with the nearest one that could be meant.
    package func finish() {
        for member in members where !asked.contains(member.key) {
            let remedy =
                asked.isEmpty
                ? "remove it" : NearestName.remedy(for: member.key, among: asked)
            diagnostics.error(
                at: member.keyLocation,
                "unknown key \"\(member.key)\" in \(what)",
                remedy: remedy
            )
        }
    }

    // MARK: nested values

    /// A nested object; nil if the key is absent.
    package func object(_ key: String) -> ObjectReader? {
        value(key).map { ObjectReader($0, as: "\"\(key)\"", diagnostics: diagnostics) }
    }

    /// The elements of an array; a single value counts as an array of one.
    package func list(_ key: String) -> [JSONCValue] {
        guard let value = value(key) else { return [] }
        return value.elements ?? [value]
    }

    /// The elements of an array of objects; anything but an array is an error.
    package func objects(_ key: String, as what: String) -> [ObjectReader] {
        guard let value = value(key) else { return [] }
        guard let elements = value.elements else {
            fail(
                key,
                "\(value.kindText) stands where an array of \(what)s belongs",
                remedy: "write [ … ]"
            )
            return []
        }
        return elements.map { ObjectReader($0, as: what, diagnostics: diagnostics) }
    }
}
