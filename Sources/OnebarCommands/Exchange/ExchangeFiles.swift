import Foundation
import Profiles

/// Files of `onebar import` and `onebar export`: names, reading, writing.
enum ExchangeFiles {
    /// The format of this name.
    static func format(
        _ word: String,
        among formats: [ExchangeFormat],
        _ command: String
    ) throws(CommandFailure) -> ExchangeFormat {
        if let format = formats.first(where: { $0.rawValue == word }) { return format }
        let names = formats.map(\.rawValue)
        let near = NearestName.of(word, among: names)
        throw .usage(
            "'onebar \(command)' knows no format '\(word)'",
            remedy: near.map { "did you mean '\($0)'?" }
                ?? "one of: \(names.joined(separator: ", "))"
        )
    }

    /// The path of a file that a user named.
    static func path(_ file: String, _ context: CommandContext) -> String {
        file.hasPrefix("/") ? file : context.workingDirectory + "/" + file
    }

    static func data(_ file: String, _ context: CommandContext) throws(ExchangeError) -> Data {
        guard let data = FileManager.default.contents(atPath: path(file, context)) else {
            throw .missingFile
        }
        return data
    }

    static func text(_ file: String, _ context: CommandContext) throws(ExchangeError) -> String {
        guard let text = String(validating: try data(file, context), as: UTF8.self) else {
            throw ExchangeError("the file is not UTF-8 text", remedy: "save it as UTF-8")
        }
        return text
    }

    /// How a network at `out` names a trace: by its place below the network's folder, else absolutely.
    static func reference(
        to file: String,
        from out: String?,
        _ context: CommandContext
    ) -> String {
        let target = (path(file, context) as NSString).standardizingPath
        let from = out.map { path($0, context) } ?? context.workingDirectory + "/network.jsonc"
        let folder = ((from as NSString).standardizingPath as NSString).deletingLastPathComponent
        return target.hasPrefix(folder + "/") ? String(target.dropFirst(folder.count + 1)) : target
    }

    /// Writes to a file, or to stdout.
    static func write(
        _ text: String,
        to out: String?,
        _ context: CommandContext
    ) throws(CommandFailure) {
        guard let out else {
            context.console.print(text.hasSuffix("\n") ? String(text.dropLast()) : text)
            return
        }
        do {
            try Data(text.utf8).write(
                to: URL(fileURLWithPath: path(out, context)),
                options: .atomic
            )
        } catch {
            throw CommandFailure(
                ["\(out): error: the file cannot be written (check its folder and rights)"],
                code: .cannotWrite
            )
        }
    }
}

extension ExchangeError {
    /// A file that is not there; the command knows its name.
    static let missingFile = ExchangeError("there is no such file", remedy: "check the path")

    /// Makes the failure of a file that is not there, if this is one.
    var missing: ((_ file: String) -> CommandFailure)? {
        guard self == .missingFile else { return nil }
        return { CommandFailure(["\($0): \(self)"], code: .missingInput) }
    }
}
