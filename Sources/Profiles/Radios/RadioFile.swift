import Foundation
import PhoneModel
import Quantities

/// Reads radio files: `profiles/radios/NAME.jsonc`, or a path to one's own.
///
/// An alias is a file with one key, `"alias"`. Every figure needs a source: the `"sources"` of a file
/// name it by its dotted path or by the beginning of one.
package struct RadioFile {
    private let diagnostics: ProfileDiagnostics

    /// The radio that an object describes, such as a file with overrides; nil after reporting why not.
    package static func decode(
        _ root: JSONCValue,
        name: String,
        diagnostics: ProfileDiagnostics
    ) -> RadioModel? {
        RadioFile(diagnostics: diagnostics).read(root, name: name)
    }

    /// The radio of this name or path; throws all errors of the file together.
    package static func model(
        _ nameOrPath: String,
        in library: ProfileLibrary = .standard()
    ) throws(ProfileError) -> RadioModel {
        var name = nameOrPath
        for _ in 0..<deepestAlias {
            let path = try path(of: name, in: library)
            let document = try library.document(at: path)
            guard let alias = document.root["alias"]?.string else {
                let diagnostics = ProfileDiagnostics()
                let stem = ((path as NSString).lastPathComponent as NSString).deletingPathExtension
                let model = decode(document.root, name: stem, diagnostics: diagnostics)
                try diagnostics.throwIfErrors()
                guard let model else {
                    preconditionFailure("\(path): a part is missing without an error")
                }
                return model
            }
            name = alias
        }
        throw ProfileError(problems: [
            ProfileProblem(
                at: SourceLocation(path: nameOrPath),
                "aliases of radios name each other in a circle",
                remedy: "let the last alias name a radio with states"
            )
        ])
    }

    /// The names of all radios that a library has, aliases too.
    package static func names(in library: ProfileLibrary = .standard()) -> [String] {
        library.presetNames(.radios)
    }

    /// An alias may name another alias this often.
    private static let deepestAlias = 4

    private static func path(
        of name: String,
        in library: ProfileLibrary
    ) throws(ProfileError) -> String {
        if name.hasSuffix(".jsonc") {
            return name.hasPrefix("/") ? name : library.workingDirectory + "/" + name
        }
        if let path = library.pathOfPreset(.radios, named: name) { return path }
        throw ProfileError(
            problems: [
                ProfileProblem(
                    at: SourceLocation(path: name),
                    "there is no radio of this name",
                    remedy: NearestName.remedy(
                        for: name,
                        among: library.presetNames(.radios)
                    )
                )
            ],
            kind: .missing
        )
    }

    private func read(_ root: JSONCValue, name: String) -> RadioModel? {
        let reader = ObjectReader(root, as: "radio", diagnostics: diagnostics)
        _ = reader.value("$schema")
        checkVersion(reader)
        let title = reader.requiredString("title", example: "LTE as measured in 2012")
        let year = reader.requiredValue("year", example: "2012").flatMap {
            reader.integer(from: $0, key: "year", in: 1990...2100)
        }
        let grade: RadioModel.Grade? = reader.requiredChoice("grade", example: "B")
        let technology: RadioModel.Technology? =
            reader.requiredChoice("technology", example: "lte")
        let decoder = RadioMachineDecoder(reader: reader)
        let machine = decoder.decode()
        let sources = readSources(reader, figures: decoder.figures)
        reader.finish()
        guard let title, let year, let grade, let technology, let machine else { return nil }
        return RadioModel(
            name: name,
            title: title,
            year: year,
            grade: grade,
            technology: technology,
            machine: machine,
            sources: sources
        )
    }

    private func checkVersion(_ reader: ObjectReader) {
        guard let value = reader.requiredValue("onebar", example: "1"),
            let version = reader.integer(from: value, key: "onebar", in: 0...Int.max), version != 1
        else { return }
        reader.fail(
            "onebar",
            "the radio is of format \(version)",
            remedy: "this onebar reads format 1"
        )
    }

    private func readSources(
        _ reader: ObjectReader,
        figures: [RadioMachineDecoder.Figure]
    ) -> [RadioModel.FieldSource] {
        guard let value = reader.requiredValue("sources", example: "{ \"tail\": \"assumption\" }")
        else { return [] }
        guard let members = value.members else {
            reader.fail(
                "sources",
                "\(value.kindText) stands where sources belong",
                remedy: "write { \"promotion.delay\": \"where it is published\" }"
            )
            return []
        }
        var sources: [RadioModel.FieldSource] = []
        for member in members {
            guard let text = member.value.string, !text.isEmpty else {
                diagnostics.error(
                    at: member.value.location,
                    "\"\(member.key)\" names no source",
                    remedy: "write a citation, or \"assumption: why\""
                )
                continue
            }
            guard figures.contains(where: { $0.isCovered(by: member.key) }) else {
                diagnostics.error(
                    at: member.keyLocation,
                    "there is no figure \"\(member.key)\" in this radio",
                    remedy: NearestName.remedy(for: member.key, among: figures.map(\.path))
                )
                continue
            }
            sources.append(RadioModel.FieldSource(field: member.key, source: text))
        }
        for figure in figures
        where !members.contains(where: { figure.isCovered(by: $0.key) }) {
            diagnostics.error(
                at: figure.location,
                "\"\(figure.path)\" has no source",
                remedy: "add it to \"sources\": a citation, or \"assumption: why\""
            )
        }
        return sources
    }
}
