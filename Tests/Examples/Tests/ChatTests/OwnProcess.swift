import Foundation

/// Starts these tests once more in a process of their own, to see what a failing one prints.
enum OwnProcess {
    /// Runs the tests that the filter finds; nil where the tests are no executable of their own.
    static func test(
        _ filter: String,
        _ environment: [String: String]
    ) throws -> (status: Int32, text: String)? {
        #if os(Linux)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["--testing-library", "swift-testing", "--filter", filter]
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let said = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: said, as: UTF8.self))
        #else
        return nil
        #endif
    }
}
