import Measurements

extension Museum {
    /// Queues of what a person did.
    static let outboxes: [Exhibit] = [
        Exhibit(
            "O1",
            "firebase/firebase-ios-sdk#16475",
            "an acknowledgement is lost, and the batch is applied once more",
            mistake: "what failed is stored anew at the end of the queue, under a key of its own",
            .failedGoesToTheBack,
            breaks: .exactlyOnce,
            says: "took effect twice at the server"
        ),
        Exhibit(
            "O3",
            "firebase/firebase-android-sdk#6181",
            "writes made offline vanish when the server refuses them",
            mistake: "what is refused for good is dropped, and nobody is told",
            .refusalNotTold,
            breaks: .exactlyOnce,
            says: "never took effect at the server"
        ),
        Exhibit(
            "O4",
            "firebase/firebase-js-sdk#4958",
            "one write that is too large holds up all that come after it",
            mistake: "a refusal is tried for ever, at the head of the queue",
            .poisonBlocksQueue,
            breaks: .exactlyOnce,
            says: "never took effect at the server"
        ),
        Exhibit(
            "O6",
            "firebase/firebase-js-sdk#5031",
            "a full disk: the write is neither kept nor sent",
            mistake: "the storage's error is swallowed",
            .fullDiskSwallowed,
            breaks: .exactlyOnce,
            says: "never took effect at the server"
        ),
        Exhibit(
            "O7",
            "powersync-ja/powersync-native#15",
            "a failed round is said to be retried, and waits for the next write",
            mistake: "no timer follows a failure",
            .failureWaitsForNextWrite,
            breaks: .exactlyOnce,
            says: "never took effect at the server"
        ),
        Exhibit(
            "O8",
            "powersync-ja/powersync-swift#179",
            "an upload that throws is tried once in a hundred seconds, where twenty tries are due",
            mistake: "an error leaves the loop, and only a local write enters it again",
            .failureWaitsForNextWrite,
            breaks: .exactlyOnce,
            says: "never took effect at the server",
            showing: .profile("server-fails-thrice")
        ),
        Exhibit(
            "O10",
            "powersync-ja/powersync.dart#308",
            "after a kill an older write replaces a newer one",
            mistake: "what was in flight when the process died is sent after all that came later",
            .inFlightGoesToTheBack,
            breaks: .inOrder,
            says: "but took effect after it",
            showing: .profile("writes-of-one-row")
        ),
        Exhibit(
            "O11",
            "redux-offline/redux-offline#59",
            "a queue that was read back from the store never drains",
            mistake: "a flag 'busy' is stored, cleared as the work ends, and believed by a launch",
            .cleanupInDeferReliedUpon,
            breaks: .exactlyOnce,
            says: "never took effect at the server"
        ),
        Exhibit(
            "O11b",
            "redux-offline/redux-offline#70",
            "an entry that was on its way when the app died stays on its way",
            mistake: "what was in flight is not taken back at launch",
            .inFlightNotReset,
            breaks: .exactlyOnce,
            says: "never took effect at the server"
        ),
        Exhibit(
            "O12",
            "redux-offline/redux-offline#167",
            "several tabs have one queue, and each of them sends it",
            mistake: "two processes share one store, and neither minds what the other has taken",
            .everyProcessSends,
            breaks: .clientProtocol,
            says: "while the client still waits for"
        ),
        Exhibit(
            "O13",
            "redux-offline/redux-offline#338",
            "an entry that the server fails on for ever stops the queue",
            mistake: "an error of the server is never held against the entry",
            [],
            breaks: .exactlyOnce,
            says: "never took effect at the server",
            showing: .profile("server-fails-on-one")
        ),
        Exhibit(
            "O16",
            "GoogleChrome/workbox#597",
            "a replay that fails is not planned again: on a poor network it never is",
            mistake: "only a change of the path begins another try",
            .retriesOnPathChangeOnly,
            breaks: .exactlyOnce,
            says: "never took effect at the server"
        ),
        Exhibit(
            "O17",
            "GoogleChrome/workbox#3237",
            "entries vanish when the worker is stopped during a replay",
            mistake: "an entry is taken out of the store before it is sent",
            .deletedBeforeSend,
            breaks: .exactlyOnce,
            says: "never took effect at the server"
        ),
        Exhibit(
            "O18",
            "GoogleChrome/workbox#1937",
            "a request that failed is put back into the queue, and the sync never ends",
            mistake: "what is put back begins the next round at once",
            .puttingBackBeginsRound,
            breaks: "retry.amplification",
            says: "over budget",
            showing: .profile("outage")
        ),
        Exhibit(
            "O20",
            "android/codelab-android-workmanager#74",
            "the network goes while a job runs, and the job stays enqueued for ever",
            mistake: "an attempt that ended for want of a path leaves its entry claimed",
            .offlineFailureNotRequeued,
            breaks: .exactlyOnce,
            says: "never took effect at the server"
        ),
        Exhibit(
            "O22",
            "open-learning-exchange/myplanet#16299",
            "a worker without a network holds its ten minutes to the end, again and again",
            mistake: "the worker waits for a network within its job, not for its start",
            client: LabRuns.app { try WorkerOutbox($0, waitsWithin: true) },
            control: LabRuns.app { try WorkerOutbox($0, waitsWithin: false) },
            breaks: "background.window_s",
            says: "over budget",
            showing: .profile("offline-two-hours")
        ),
        Exhibit(
            "O23",
            "aws-amplify/amplify-swift#1718",
            "an app that is started offline never syncs",
            mistake: "a start without a path ends there",
            .startedOfflineNeverSyncs,
            breaks: .exactlyOnce,
            says: "never took effect at the server"
        ),
        Exhibit(
            "O26",
            "aws-amplify/amplify-android#1794",
            "one failed mutation, and nothing is synced any more",
            mistake: "the first failure ends the drain",
            .stopsAtFirstError,
            breaks: .exactlyOnce,
            says: "never took effect at the server"
        ),
        Exhibit(
            "O27",
            "Adyen/adyen-commercetools#1305",
            "a payment is made twice after a time-out",
            mistake: "each attempt has a new idempotency key",
            .keyMadeAtSend,
            breaks: .exactlyOnce,
            says: "took effect twice at the server"
        ),
        Exhibit(
            "O29",
            "square/okhttp#4963",
            "the server has the file, and the app shows that it was not uploaded",
            mistake: "an attempt that no answer came to is given up, and called failed",
            client: LabRuns.twins(.unansweredToldFailed),
            control: LabRuns.twins(.unansweredToldUnknown),
            breaks: GuaranteeName.exactlyOnce.text,
            says: "failed (deadLettered), but it took effect at the server",
            showing: .hunt
        ),
    ]
}
