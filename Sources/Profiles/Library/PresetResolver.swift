import NetworkModel

/// Replaces names of presets by their files, with overrides put over them.
///
/// It also keeps the closure: which files were read on the way.
package final class PresetResolver {
    /// Where files are found.
    package let library: ProfileLibrary
    /// Where problems go.
    package let diagnostics: ProfileDiagnostics
    /// What was read so far.
    package private(set) var closure = ProfileClosure()
    private var traces: [String: RateSchedule] = [:]

    /// Makes a resolver that has read nothing.
    package init(library: ProfileLibrary, diagnostics: ProfileDiagnostics) {
        self.library = library
        self.diagnostics = diagnostics
    }

    /// Reads a file into the closure; nil after reporting what is wrong with it.
    package func read(_ path: String) -> JSONCDocument? {
        do throws(ProfileError) {
            let document = try library.document(at: path)
            closure.add(path: document.path, text: document.text)
            return document
        } catch {
            for problem in error.problems { diagnostics.report(problem) }
            return nil
        }
    }

    /// Reads a recorded rate that a network names; nil after reporting what is wrong with it.
    ///
    /// The file lies beside the one that names it, or in the folder of networks.
    func trace(_ name: String, at location: SourceLocation) -> RateSchedule? {
        guard let path = library.pathOfTrace(name, namedIn: location.path) else {
            diagnostics.error(
                at: location,
                "there is no trace \"\(name)\"",
                remedy: "put the file beside the network; the path is taken from there"
            )
            return nil
        }
        if let known = traces[path] { return known }
        do throws(ProfileError) {
            let (bytes, shown) = try library.bytes(at: path)
            let schedule = try TraceReader.schedule(bytes: bytes, path: shown)
            closure.add(path: shown, text: String(decoding: bytes, as: UTF8.self))
            traces[path] = schedule
            return schedule
        } catch {
            for problem in error.problems { diagnostics.report(problem) }
            return nil
        }
    }

    /// A preset that is named by `value` or by the `key` within it, and its merged object.
    ///
    /// `"android-mid"` is the file alone; `{ "model": "android-mid", "battery": "4500mAh" }` is the
    /// file with overrides; an object without the key is written out in place and has no name.
    package func resolve(
        _ value: JSONCValue,
        kind: PresetKind,
        key: String
    ) -> (name: String, object: JSONCValue)? {
        if let name = value.string {
            return preset(kind, named: name, at: value.location)
        }
        guard let members = value.members else {
            diagnostics.error(
                at: value.location,
                "\(value.kindText) stands where a \(kind.noun) belongs",
                remedy: "write a name or an object"
            )
            return nil
        }
        guard let naming = value[key] else { return ("", value) }
        guard let name = naming.string else {
            diagnostics.error(
                at: naming.location,
                "\(naming.kindText) stands where \"\(key)\" needs a name",
                remedy: "write the name of a \(kind.noun)"
            )
            return nil
        }
        guard let base = preset(kind, named: name, at: naming.location) else { return nil }
        let overrides = members.filter { $0.key != key }
        let merged = base.object.overlaid(by: JSONCValue(.object(overrides), at: value.location))
        return (base.name, merged)
    }

    /// The preset of a name, or the one that it is an alias of, and that one's own name.
    private func preset(
        _ kind: PresetKind,
        named name: String,
        at location: SourceLocation,
        depth: Int = 0
    ) -> (name: String, object: JSONCValue)? {
        guard let path = library.pathOfPreset(kind, named: name) else {
            let names = library.presetNames(kind)
            diagnostics.error(
                at: location,
                "there is no \(kind.noun) \"\(name)\"",
                remedy: names.isEmpty
                    ? "put \(name).jsonc into profiles/\(kind.rawValue)"
                    : NearestName.remedy(for: name, among: names)
            )
            return nil
        }
        guard let root = read(path)?.root else { return nil }
        guard let alias = root["alias"], let target = alias.string else { return (name, root) }
        guard depth < Self.deepestAlias else {
            diagnostics.error(
                at: alias.location,
                "aliases name each other in a circle",
                remedy: "let the last one name a file with figures"
            )
            return nil
        }
        return preset(kind, named: target, at: alias.location, depth: depth + 1)
    }

    /// An alias may name another alias this often.
    private static let deepestAlias = 4
}
