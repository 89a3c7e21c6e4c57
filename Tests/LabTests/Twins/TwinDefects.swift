/// Mistakes that real teams shipped, to be put into an outbox or an uploader that is right without them.
///
/// The lab has to catch every single one; with none of them it must find nothing.
struct TwinDefects: OptionSet, Sendable {
    let rawValue: Int

    /// Outbox: a new idempotency key with each attempt, so a lost acknowledgement doubles the effect.
    static let keyMadeAtSend = Self(rawValue: 1 << 0)
    /// Outbox: what was in flight when the process died is taken for sent by somebody.
    static let inFlightNotReset = Self(rawValue: 1 << 1)
    /// Outbox: the local row is committed and shown first, the outbox row follows in a transaction
    /// of its own.
    static let outboxRowAfterLocalRow = Self(rawValue: 1 << 2)
    /// Outbox: an intent that the server refuses for good is tried for ever, the others wait.
    static let poisonBlocksQueue = Self(rawValue: 1 << 3)
    /// Outbox: after a 503 the next attempt follows at once.
    static let noBackoffAfter503 = Self(rawValue: 1 << 4)
    /// Outbox: a stored "busy" flag that `defer` clears, and that a launch believes.
    static let cleanupInDeferReliedUpon = Self(rawValue: 1 << 5)
    /// Uploader: goes on from its own idea of the offset and never asks.
    static let offsetTrustedWithoutHEAD = Self(rawValue: 1 << 6)
    /// Uploader: the server's address of the upload is kept in memory alone.
    static let createdAgainAfterRelaunch = Self(rawValue: 1 << 7)
    /// Uploader: shows what the socket took.
    static let progressFromSocketBytes = Self(rawValue: 1 << 8)

    /// Outbox: no Idempotency-Key at all.
    static let noKey = Self(rawValue: 1 << 9)
    /// Outbox: takes the entry out of the store before it is sent, to put it back if that fails.
    static let deletedBeforeSend = Self(rawValue: 1 << 10)
    /// Outbox: what the server refuses for good is dropped, and nobody is told.
    static let refusalNotTold = Self(rawValue: 1 << 11)
    /// Outbox: after a failure nothing is tried until the person writes again.
    static let failureWaitsForNextWrite = Self(rawValue: 1 << 12)
    /// Outbox: a write that finds the disk full is reported to nobody.
    static let fullDiskSwallowed = Self(rawValue: 1 << 13)
    /// Outbox: started without a path, it never begins.
    static let startedOfflineNeverSyncs = Self(rawValue: 1 << 14)
    /// Outbox: `Retry-After` is not read.
    static let retryAfterIgnored = Self(rawValue: 1 << 15)
    /// Outbox: any answer at all is taken for a yes.
    static let anyAnswerIsSuccess = Self(rawValue: 1 << 16)
    /// Outbox: what failed goes to the back of the queue, so that later ones overtake it.
    static let failedGoesToTheBack = Self(rawValue: 1 << 17)

    /// Uploader: a task that was running when the process died is not taken up again.
    static let runningNotResumed = Self(rawValue: 1 << 18)
    /// Uploader: asks for the server's offset, and reads the file from its own.
    static let sourceNotAdvanced = Self(rawValue: 1 << 19)
    /// Uploader: a conflict or a lock is answered by a new upload.
    static let createsAnewOnConflict = Self(rawValue: 1 << 20)
    /// Uploader: the key of a creation is made when it is sent.
    static let creationKeyNotStored = Self(rawValue: 1 << 21)
    /// Uploader: after a broken pipe it goes on with the next chunk.
    static let movesOnAfterBrokenPipe = Self(rawValue: 1 << 22)
    /// Uploader: an error of the server starts a new session at the old offset.
    static let newSessionAtOldOffset = Self(rawValue: 1 << 23)

    /// Outbox: the key is made once a launch and kept in memory, so that a relaunch doubles the effect.
    static let keyMadeAtLaunch = Self(rawValue: 1 << 24)
    /// Outbox: what failed is tried again when the path changes, and at no other time.
    static let retriesOnPathChangeOnly = Self(rawValue: 1 << 25)
    /// Outbox: an entry whose attempt ended for want of a path stays claimed.
    static let offlineFailureNotRequeued = Self(rawValue: 1 << 26)
    /// Outbox: the first failure ends the drain of this launch.
    static let stopsAtFirstError = Self(rawValue: 1 << 27)
    /// Outbox: what failed goes to a store that only a launch reads.
    static let storedForNextLaunchOnly = Self(rawValue: 1 << 28)
    /// Outbox: entries are kept in memory and written down every other second.
    static let savedAfterDelay = Self(rawValue: 1 << 29)
    /// Outbox: an attempt that no answer came to is dropped.
    static let droppedOnFailure = Self(rawValue: 1 << 30)
    /// Outbox: a flush that finds no path keeps the lock that keeps flushes apart.
    static let lockLeakedOffline = Self(rawValue: 1 << 31)
    /// Outbox: a timer begins another flush, whether or not one is under way, each with every entry.
    static let flushesOverlap = Self(rawValue: 1 << 32)
    /// Outbox: a retry budget that no success refills, and nothing is tried once it is empty.
    static let budgetNeverRefilled = Self(rawValue: 1 << 33)
    /// Outbox: a transaction stays open while the server is asked.
    static let sendsInTransaction = Self(rawValue: 1 << 34)

    /// Both: each process of the app sends what it finds, and none minds what another has taken.
    ///
    /// Without it only the app itself sends, and other processes merely store.
    static let everyProcessSends = Self(rawValue: 1 << 35)
    /// Outbox: each process sends what it finds, under keys with its own name in them.
    static let keyNamesProcess = Self(rawValue: 1 << 54)
    /// Outbox: what failed is put back, and putting back begins the next round at once.
    static let puttingBackBeginsRound = Self(rawValue: 1 << 36)
    /// Outbox: what the server refuses for good is sent again at once.
    static let refusalTriedAtOnce = Self(rawValue: 1 << 37)
    /// Outbox: an attempt that no answer came to is given up, and called failed.
    static let unansweredToldFailed = Self(rawValue: 1 << 38)
    /// Outbox: it is given up and called unknown, which is true: no defect, but the right twin of the one above.
    static let unansweredToldUnknown = Self(rawValue: 1 << 39)

    /// Uploader: chunks are cut once, and a chunk of which a part arrived is sent from its beginning.
    static let fixedRanges = Self(rawValue: 1 << 40)
    /// Uploader: goes on from its own offset, and a conflict is the end of it.
    static let conflictIsFinal = Self(rawValue: 1 << 41)
    /// Uploader: a broken connection is answered by a new upload.
    static let createsAnewAfterBrokenPipe = Self(rawValue: 1 << 42)
    /// Uploader: what was complete but not yet ticked off when the process died is uploaded again.
    static let completeStartsAnew = Self(rawValue: 1 << 43)
    /// Uploader: a launch removes the upload that it finds and begins again with the first byte.
    static let startsOverAfterRelaunch = Self(rawValue: 1 << 44)
    /// Uploader: the server's offset counts only where it is ahead of its own.
    static let offsetNeverFalls = Self(rawValue: 1 << 45)
    /// Uploader: all that is left goes into one request, however often one breaks off.
    static let oneChunk = Self(rawValue: 1 << 46)

    /// Outbox: its database lies in a folder that the system may empty.
    static let queueInCaches = Self(rawValue: 1 << 47)
    /// Outbox: what was in flight when the process died is sent after all that came later.
    static let inFlightGoesToTheBack = Self(rawValue: 1 << 48)
    /// Outbox: what was taken is crossed out in memory, and in the store as the app goes out of sight.
    static let storeBehindMemory = Self(rawValue: 1 << 49)

    /// Uploader: what is taken back is forgotten, and the retry that was planned for it goes on.
    static let cancelLeavesRetry = Self(rawValue: 1 << 50)
    /// Uploader: one that failed counts as one under way.
    static let failedCountsAsBusy = Self(rawValue: 1 << 51)
    /// Uploader: a file that is not in its place is waited for.
    static let missingFileWaitedFor = Self(rawValue: 1 << 52)
    /// Uploader: goes on with a file whatever has become of it since it was chosen.
    static let changeNotSeen = Self(rawValue: 1 << 53)

    /// Outbox: sends while the person waits, and says that it was not sent when no answer comes.
    static let unansweredThrownAsFailed = Self(rawValue: 1 << 54)
    /// Outbox: sends while the person waits, and throws what it was told: no defect, but the right twin of the one above.
    static let unansweredThrownAsIs = Self(rawValue: 1 << 55)
}
