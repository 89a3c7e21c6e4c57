import PhoneModel
import Quantities
import SQLiteStore
import SimulationKernel
import Trace

/// Builds the phone's disk and joins it to processes, to SQLite and to the trace.
enum PhoneDisk {
    /// The disk of a profile; every operation goes into the fingerprint and the trace.
    static func make(
        profile: DiskProfile,
        simulation: Simulation,
        observations: ObservationStream,
        device: Int
    ) -> SimulatedDisk {
        let disk = SimulatedDisk(
            profile: profile,
            latency: simulation.stream("disk", entity: "\(device)"),
            now: { simulation.instant }
        )
        var peak = ByteCount.zero
        disk.onNote = { [unowned disk] note in
            simulation.note(
                note.file &* 16 &+ UInt64(note.effect.code),
                UInt64(bitPattern: note.offset),
                UInt64(note.length)
            )
            func report(_ observation: Observation) {
                observations.report(observation, at: simulation.instant, device: device)
            }
            switch note.effect {
            case .write:
                report(.diskWritten(file: note.path, ByteCount(note.length)))
                let used = disk.peakUsed
                if used > peak {
                    peak = used
                    report(.diskUsed(used))
                }
            case .sync, .syncDirectory:
                report(.diskSynced(file: note.path))
            default:
                break
            }
        }
        return disk
    }

    /// The process as the disk sees it: its local time, its lag, and its death at an effect.
    static func client(
        of incarnation: Incarnation,
        number: Int,
        simulation: Simulation
    ) -> DiskClient {
        DiskClient(
            id: number,
            stamp: { simulation.now },
            effect: { effect, path in
                guard let kind = effect.kernelKind else { return incarnation.canAct }
                return incarnation.effect(kind, path)
            },
            charge: { span in incarnation.block(for: span) }
        )
    }

    /// A VFS for the databases of one launch: the one that the world's thread gets without a name.
    static func vfs(
        for seams: LaunchSeams,
        streamPrefix: String,
        simulation: Simulation,
        wallClock: WallClock,
        profile: DiskProfile
    ) -> SQLiteVFS {
        let incarnation = seams.incarnation
        let randomness = SimulatedRandom(
            stream: simulation.stream("sqlite", entity: streamPrefix + incarnation.label)
        )
        let vfs = SQLiteVFS(
            name: "onebar-\(seams.device)-\(seams.label.launch)",
            store: seams.files,
            host: SQLiteVFSHost(
                randomness: { buffer in
                    for index in buffer.indices {
                        buffer[index] = UInt8(truncatingIfNeeded: randomness.next())
                    }
                },
                sleep: { span in incarnation.block(for: span) },
                wallMilliseconds: { wallClock.nanosecondsSince1970 / 1_000_000 }
            ),
            configuration: SQLiteVFSConfiguration(sectorSize: profile.sectorSize)
        )
        do {
            try vfs.register()
        } catch {
            preconditionFailure("SQLite does not take the VFS: \(error)")
        }
        if !seams.label.isSecond { SQLiteThreadDefault.set(vfs) }
        return vfs
    }
}

extension DiskEffect {
    /// The kernel's word for it; nil for what a death in would change nothing durable.
    fileprivate var kernelKind: EffectKind? {
        switch self {
        case .create, .write: .write
        case .truncate: .truncate
        case .sync, .syncDirectory: .sync
        case .remove: .delete
        case .rename: .rename
        case .open, .read, .size, .look, .lock, .map: nil
        }
    }

    /// A number for the fingerprint that does not depend on the order of cases elsewhere.
    fileprivate var code: UInt8 {
        switch self {
        case .open: 1
        case .create: 2
        case .read: 3
        case .write: 4
        case .truncate: 5
        case .sync: 6
        case .syncDirectory: 7
        case .remove: 8
        case .rename: 9
        case .size: 10
        case .look: 11
        case .lock: 12
        case .map: 13
        }
    }
}
