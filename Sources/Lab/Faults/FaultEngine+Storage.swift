import PhoneModel
import Profiles
import Quantities
import ServerModel
import SimulationKernel
import Trace

/// Faults of what is stored on the phone, and of who may reach it.
extension FaultEngine {
    /// What a phone can be made of anew.
    struct Backup {
        /// Its files.
        let files: DiskSnapshot
        /// Answers that asked to wait and are not in it: a phone that is made of it never heard them.
        var unknownWaits: [Int64]
    }

    /// iOS suspends the app, and kills it if it holds a file lock.
    func suspend(_ entry: FaultEntry, relaunch: Duration?) {
        guard phone.launch != nil else { return absorb(entry, "the app was not running") }
        guard let file = phone.lockedFile else {
            return absorb(entry, "it held no file lock: it was only suspended")
        }
        note(entry, "the app was killed with 0xdead10cc: it held a lock on \(file)")
        phone.killForLock(on: file, relaunchAfter: relaunch)
    }

    /// The phone is locked: what iOS protects completely answers EPERM until it is unlocked.
    func lockFiles(_ entry: FaultEntry, _ files: LockedFiles, for span: Duration) {
        let disk = phone.disk
        let path =
            switch files {
            case .all: "\(Phone.directory)/"
            case .folder(let folder): "\(Phone.directory)/\(folder)/"
            case .file(let file): "\(Phone.directory)/\(file)"
            }
        let injection = disk.inject(.locked(prefix: path))
        lockedFiles.append(injection)
        note(entry, "files in \(path) could not be reached")
        healed(entry, after: span)
        world.schedule(at: world.simulation.instant + span) { [self] in
            disk.withdrawInjection(injection)
            phone.reopenIfItCouldNotStart()
        }
    }

    /// Every lock is off: the person has unlocked the phone.
    func unlockFiles() {
        for injection in lockedFiles { phone.disk.withdrawInjection(injection) }
        lockedFiles = []
        phone.reopenIfItCouldNotStart()
    }

    /// The system empties a cache folder, as it may while the app runs or not.
    func purge(_ entry: FaultEntry, folder: String) {
        let count = phone.disk.purge(prefix: "\(Phone.directory)/\(folder)/")
        guard count > 0 else { return absorb(entry, "there was nothing in '\(folder)'") }
        note(entry, "\(count == 1 ? "1 file" : "\(count) files") of '\(folder)' went away")
    }

    /// Makes the backup that an entry will restore.
    func planBackup(_ entry: FaultEntry, taken: Duration) {
        world.schedule(at: .zero + taken) { [self] in
            // The system leaves caches out (Apple: iOS Data Storage Guidelines).
            let caches = "\(Phone.directory)/\(FaultEffect.cacheFolder)/"
            backups[entry.index] = Backup(
                files: phone.disk.snapshot(excluding: [caches]),
                unknownWaits: phone.launch?.unstoredWaits() ?? []
            )
        }
    }

    /// The phone is gone; a new one is made of the backup, and has never heard of what came after.
    ///
    /// What was promised after the backup was made is told as lost: no client can keep it. What the
    /// backup holds may have taken effect since, and must not take effect again.
    func restore(_ entry: FaultEntry, taken: Duration, relaunch: Duration?) {
        guard let backup = backups[entry.index] else {
            return absorb(entry, "no backup had been made")
        }
        phone.losePower(relaunchAfter: relaunch)
        phone.system?.phoneWasReplaced()
        phone.disk.restore(backup.files)
        for number in backup.unknownWaits { world.server.answerWasForgotten(number: number) }
        phone.workload.forgetPromises(after: .zero + taken)
        phone.rows.forget(after: .zero + taken)
        // Tokens in a backup are of the old phone; whoever sets the new one up signs in on it.
        phone.session?.signInAgain()
        let count = backup.files.paths.count
        note(entry, "the phone was replaced; \(count) files came from the backup")
    }

    private func mediaPath(_ name: String) -> String {
        WorkloadPlanner.mediaPath(phone.identity.prefix + name)
    }

    /// Does `body` when the app's code has caught up with the world.
    ///
    /// Code that runs ahead has looked at a file, and opens it when its lag is over: what falls in between
    /// no client can see. Nor what falls in the instant in which it does both, so that has to be over too.
    func betweenCalls(_ body: @escaping () -> Void) {
        let moment = Duration.nanoseconds(1)
        world.schedule(at: world.simulation.instant + max(lag, moment)) { [self] in
            guard lag == .zero else { return betweenCalls(body) }
            body()
        }
    }

    /// How far the code of the app's processes is ahead of the world.
    private var lag: Duration {
        let incarnations = [phone.launch?.incarnation, phone.second.launch?.incarnation].compactMap(
            \.self
        )
        return incarnations.flatMap { incarnation in
            ExecutionLane.allCases.map { incarnation.lag(of: $0) }
        }.max() ?? .zero
    }

    /// The file of an upload is gone from its place, as when the app's container has moved.
    func removeSource(_ entry: FaultEntry, of name: String) {
        guard phone.disk.removeFile(mediaPath(name)) else {
            return absorb(entry, "there was no file of '\(name)'")
        }
        note(entry, "the file of '\(name)' was gone from its place")
    }

    /// An editor has saved the file of an upload anew: another file in its place, as long as before.
    func changeSource(_ entry: FaultEntry, of name: String) {
        let path = mediaPath(name)
        guard let size = phone.disk.contents(of: path)?.count else {
            return absorb(entry, "there was no file of '\(name)'")
        }
        if let reason = phone.workload.isUnseen(name) { return absorb(entry, reason) }
        var keys = world.simulation.stream("content", entity: name, purpose: "changed")
        let content = SyntheticContent(seed: keys.next(), length: .bytes(Int64(size)))
        phone.storeMedia(content, at: path)
        phone.workload.sourceChanged(name, to: content)
        note(entry, "the file of '\(name)' was changed")
    }

    /// The person takes an upload back, or will as soon as the app is there.
    func cancelUpload(_ entry: FaultEntry, of name: String) {
        if let reason = phone.workload.cancelUpload(name) { return absorb(entry, reason) }
        note(entry, "the person took '\(name)' back")
    }

    /// The person asks once more for an upload, or will as soon as the app is there.
    func retryUpload(_ entry: FaultEntry, of name: String) {
        if let reason = phone.workload.retryUpload(name) { return absorb(entry, reason) }
        note(entry, "the person asked once more for '\(name)'")
    }

    /// A second process of the app begins on the same store, and ends after a while.
    func startSecond(_ entry: FaultEntry, for span: Duration) {
        guard phone.isInstalled, world.playsApp else {
            return absorb(entry, "the app was not installed")
        }
        guard phone.second.begin(for: span) else {
            return absorb(entry, "a second process ran already")
        }
        note(entry, "a second process of the app ran for \(span.compactText)")
        healed(entry, after: span)
    }

    /// Another process of the app, such as a share extension, writes to a database for a while.
    func holdDatabase(_ entry: FaultEntry, name: String, for span: Duration) {
        let path = "\(Phone.directory)/\(name)"
        // Nobody else can have its lock then; and whoever got it next would roll the journal back before anything else.
        guard !phone.disk.hasHotJournal(path) else {
            return absorb(entry, "the app was in a transaction with a rollback journal")
        }
        let isThere = phone.disk.holdWriteLock(
            of: path,
            by: -1 - entry.index,
            until: world.simulation.instant + span
        )
        guard isThere else { return absorb(entry, "there was no '\(name)'") }
        note(entry, "another process held the write lock of '\(name)'")
        healed(entry, after: span)
    }
}
