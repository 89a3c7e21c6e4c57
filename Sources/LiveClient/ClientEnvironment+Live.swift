import ClientModules
import Foundation
import SQLiteStore

extension ClientEnvironment {
    /// The real thing: URLSession, files, the device's clocks and its random numbers.
    ///
    /// `directory` is a folder that is backed up or not as the app wants it, and not purged by the
    /// system: Application Support, not Caches. Pass the signals that the app drives.
    /// Without `backgroundTransfers` and `background` nothing is asked of the system; `InProcessTransfers` and
    /// `InProcessBackground` stand in for it where a process is never suspended. `process` has to tell this process
    /// from others that share the directory.
    public static func live(
        directory: String,
        signals: LiveSignals = LiveSignals(),
        path: LivePathMonitor = LivePathMonitor(),
        transport: any HTTPTransport = URLSessionTransport(),
        backgroundTransfers: (any BackgroundTransfers)? = nil,
        background: (any BackgroundWork)? = nil,
        process: String = ClientEnvironment.extensionName
    ) -> ClientEnvironment {
        ClientEnvironment(
            transport: transport,
            backgroundTransfers: backgroundTransfers,
            background: background,
            clock: LiveClock(),
            random: LiveRandom(),
            path: path,
            signals: signals,
            files: PosixFileStore(),
            directory: directory,
            memory: LiveMemoryMeter(),
            process: process
        )
    }

    /// The bundle's identifier in an app extension; empty in an app, and where there are no bundles.
    public static var extensionName: String {
        let bundle = Bundle.main
        guard bundle.bundleURL.pathExtension == "appex" else { return "" }
        return bundle.bundleIdentifier ?? ProcessInfo.processInfo.processName
    }
}
