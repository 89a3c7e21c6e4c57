import Lab
import PhoneModel
import Quantities
import SQLiteStore
import SimulationKernel
import Synchronization

/// A phone with nothing but a disk: launches processes on it, kills them, cuts the power.
///
/// Connections may outlive it; tests that make many call `end()` so that nothing is kept.
final class DiskRig {
    let disk: SimulatedDisk
    private let clock = Clock()
    private let seed: UInt64
    private var processes: [RigProcess] = []

    /// The world's time, apart from the rig so that the disk's closure holds no cycle.
    final class Clock {
        var now = SimulationInstant.zero
    }

    init(_ profile: DiskProfile = .ideal, seed: UInt64 = 1) {
        self.seed = seed
        disk = SimulatedDisk(
            profile: profile,
            latency: RandomStream(key: seed &* 2 &+ 1),
            now: { [clock] in clock.now }
        )
    }

    var now: SimulationInstant { clock.now }

    /// Lets the world's time pass.
    func advance(by span: Duration) {
        clock.now += span
    }

    /// Starts a process; `dyingAt` is the effect, counted from 1, at which it is killed.
    func launch(dyingAt death: Int? = nil) -> RigProcess {
        let id = processes.count + 1
        let process = RigProcess(
            disk: disk,
            clock: clock,
            id: id,
            seed: seed &+ UInt64(id),
            death: death
        )
        processes.append(process)
        return process
    }

    /// Takes every process's VFS away.
    func end() {
        for process in processes { process.end() }
    }
}

/// One launch: its lag, its effects so far, and its VFS.
final class RigProcess: @unchecked Sendable {
    let client: DiskClient
    let store: SimulatedFileStore
    private let state: State
    private var random: RandomStream
    private var vfs: SQLiteVFS?

    /// What the disk's closures work on.
    private final class State {
        var lag = Duration.zero
        var effects = 0
        var death: Int?
        let clock: DiskRig.Clock
        var time: SimulationInstant { clock.now + lag }

        init(clock: DiskRig.Clock, death: Int?) {
            self.clock = clock
            self.death = death
        }
    }

    /// Names of VFSs are known to the whole test process, where suites run side by side.
    private static let names = Atomic<Int>(0)

    init(disk: SimulatedDisk, clock: DiskRig.Clock, id: Int, seed: UInt64, death: Int?) {
        let state = State(clock: clock, death: death)
        self.state = state
        random = RandomStream(key: seed)
        client = DiskClient(
            id: id,
            stamp: { state.time },
            effect: { _, _ in
                state.effects += 1
                return state.effects != state.death
            },
            charge: { state.lag += $0 }
        )
        store = SimulatedFileStore(disk: disk, client: client)
    }

    var time: SimulationInstant { state.time }
    var lag: Duration { state.lag }
    var effects: Int { state.effects }
    var isDead: Bool { client.isFenced }

    /// Kills the process at the effect that comes `count` effects from now.
    func die(in count: Int) {
        state.death = state.effects + count
    }

    /// The process's VFS, registered at first use.
    func sqlite(asDefault: Bool = false) throws -> String {
        if let vfs { return vfs.name }
        let made = SQLiteVFS(
            name: "rig-\(Self.names.add(1, ordering: .relaxed).newValue)",
            store: store,
            host: SQLiteVFSHost(
                randomness: { self.fill($0) },
                sleep: { self.state.lag += $0 },
                wallMilliseconds: { self.time.nanoseconds / 1_000_000 }
            )
        )
        try made.register(asDefault: asDefault)
        vfs = made
        return made.name
    }

    func connect(
        _ path: String = "/data/outbox.sqlite",
        _ configuration: SQLiteConfiguration = .init()
    ) throws -> SQLiteConnection {
        try SQLiteConnection(path: path, vfs: try sqlite(), configuration: configuration)
    }

    /// Waits until the world has caught up.
    func settleLag() {
        state.clock.now = max(state.clock.now, time)
        state.lag = .zero
    }

    func end() {
        vfs?.unregister()
        vfs = nil
    }

    private func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        for index in buffer.indices { buffer[index] = UInt8(truncatingIfNeeded: random.next()) }
    }
}
