import PhoneModel
import Quantities
import SimulationKernel

/// A disk, a world's time that a test sets, and processes with a lag.
final class DiskBench {
    let disk: SimulatedDisk
    private let clock = Clock()
    private var launches = 0

    final class Clock {
        var now = SimulationInstant.zero
    }

    /// One process's lag and client.
    final class Process {
        let client: DiskClient
        private let state: State

        final class State {
            var lag = Duration.zero
        }

        init(id: Int, clock: Clock, effect: @escaping (DiskEffect, String) -> Bool) {
            let state = State()
            self.state = state
            client = DiskClient(
                id: id,
                stamp: { clock.now + state.lag },
                effect: effect,
                charge: { state.lag += $0 }
            )
        }

        var lag: Duration {
            get { state.lag }
            set { state.lag = newValue }
        }
    }

    init(_ profile: DiskProfile = .ideal) {
        disk = SimulatedDisk(
            profile: profile,
            latency: RandomStream(key: 5),
            now: { [clock] in clock.now }
        )
    }

    var now: SimulationInstant {
        get { clock.now }
        set { clock.now = newValue }
    }

    func launch(effect: @escaping (DiskEffect, String) -> Bool = { _, _ in true }) -> Process {
        launches += 1
        return Process(id: launches, clock: clock, effect: effect)
    }

    func open(_ path: String, _ process: Process) throws -> DiskHandle {
        try disk.open(path, create: true, by: process.client)
    }

    func text(_ path: String) -> String? {
        disk.contents(of: path).map { String(decoding: $0, as: UTF8.self) }
    }

    func safeText(_ path: String) -> String? {
        disk.safeContents(of: path).map { String(decoding: $0, as: UTF8.self) }
    }
}

extension DiskHandle {
    func write(_ text: String, at offset: Int64 = 0) throws {
        try [UInt8](text.utf8).withUnsafeBytes { bytes throws in try write(bytes, at: offset) }
    }
}
