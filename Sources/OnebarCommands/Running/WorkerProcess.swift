import Foundation

/// One worker process and the pipes to it.
final class WorkerProcess {
    /// What a worker appends to an answer when it has grown and wants to be replaced.
    static let retirementMark = "\u{1}"

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let errors: URL
    private var buffer = Data()
    private(set) var wantsToRetire = false

    init(executable: String, arguments: [String], environment: [String: String]) throws {
        errors = FileManager.default.temporaryDirectory
            .appendingPathComponent("onebar-worker-\(UUID().uuidString).log")
        try Data().write(to: errors)
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments
        process.environment = environment
        process.standardInput = input
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        Interruption.started(process.processIdentifier, log: errors)
    }

    /// Sends one line and waits for one; nil when the worker died over it.
    func ask(_ request: String) -> String? {
        do {
            try input.fileHandleForWriting.write(contentsOf: Data((request + "\n").utf8))
        } catch {
            return nil
        }
        // Answers are long: what has been searched is not searched again.
        var searched = 0
        while true {
            if let end = buffer[searched...].firstIndex(of: 10) {
                var line = String(decoding: buffer[..<end], as: UTF8.self)
                buffer = Data(buffer[(end + 1)...])
                if line.hasSuffix(Self.retirementMark) {
                    line.removeLast()
                    wantsToRetire = true
                }
                return line
            }
            let piece = output.fileHandleForReading.availableData
            guard !piece.isEmpty else { return nil }
            searched = buffer.count
            buffer.append(piece)
        }
    }

    /// Closes the worker's input, which ends it, and waits.
    func end() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
        Interruption.ended(process.processIdentifier)
        try? FileManager.default.removeItem(at: errors)
    }

    /// How the worker died, after `ask` returned nil.
    func epitaph() -> WorkerPool.Answer {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
        Interruption.ended(process.processIdentifier)
        let text = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
        try? FileManager.default.removeItem(at: errors)
        let lines = text.split(separator: "\n")
        let fatal = lines.first { $0.contains("Fatal error") }
        let lastWords = ([fatal].compactMap { $0 } + lines.suffix(12)).joined(separator: "\n")
        let cause =
            process.terminationReason == .uncaughtSignal
            ? "signal \(process.terminationStatus) (\(Self.signalName(process.terminationStatus)))"
            : "exit status \(process.terminationStatus)"
        return .died(cause: cause, lastWords: lastWords)
    }

    private static func signalName(_ number: Int32) -> String {
        switch number {
        case SIGILL, SIGTRAP: "a Swift trap"
        case SIGSEGV, SIGBUS: "bad memory access"
        case SIGABRT: "abort"
        case SIGKILL: "killed from outside"
        default: "unexpected"
        }
    }
}
