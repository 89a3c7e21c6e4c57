import Measurements

extension Museum {
    /// Resumable uploads.
    static let uploads: [Exhibit] = [
        Exhibit(
            "U1",
            "tus/TUSKit#162",
            "after the app was left and opened again an upload answers 409 for ever",
            mistake: "chunks are cut once; one that arrived in part is sent from its beginning",
            .fixedRanges,
            breaks: .settles,
            says: "had not finished by the end"
        ),
        Exhibit(
            "U2",
            "tus/TUSKit#200",
            "a kill in the middle of a chunk: the next launch does not go on",
            mistake: "a task that was running when the process died is taken for running",
            .runningNotResumed,
            breaks: .settles,
            says: "had not finished by the end"
        ),
        Exhibit(
            "U4",
            "tus/TUSKit#27",
            "after a loss of some seconds the same range is sent for ever",
            mistake: "the server's offset counts only where it is ahead of the client's",
            .offsetNeverFalls,
            breaks: .settles,
            says: "had not finished by the end",
            showing: .profile("server-rolls-back"),
            // What is right here shows the server's offset, which falls.
            hasControl: false
        ),
        Exhibit(
            "U5",
            "tus/TUSKit#17",
            "after a resume the wrong bytes are sent",
            mistake: "the server's offset is said, and the file is read from the client's own",
            .sourceNotAdvanced,
            breaks: .bytesIdentical,
            says: "are not the bytes that were chosen"
        ),
        Exhibit(
            "U6",
            "tus/TUSKit#51",
            "a relaunch begins a new upload at 0 %",
            mistake: "the address of the upload is kept in memory alone",
            .createdAgainAfterRelaunch,
            breaks: .createdOnce,
            says: "was created again at the server"
        ),
        Exhibit(
            "U8",
            "tus/TUSKit#214",
            "an upload that was taken back goes on being tried",
            mistake: "taking back forgets the upload, and not the retry that was planned for it",
            .cancelLeavesRetry,
            breaks: .createdOnce,
            says: "was taken back at",
            showing: .profile("upload-taken-back")
        ),
        Exhibit(
            "U10",
            "tus/tusd#234",
            "after a drop the upload is locked, and the client begins another one",
            mistake: "409 and 423 are answered by a new upload",
            .createsAnewOnConflict,
            breaks: .createdOnce,
            says: "was created again at the server",
            showing: .profile("server-keeps-locks")
        ),
        Exhibit(
            "U12",
            "opencloud-eu/desktop#971",
            "the last answer is lost, and the upload hangs near 100 %",
            mistake: "the offset is not asked for, and a conflict is the end",
            .conflictIsFinal,
            breaks: .settles,
            says: "had not finished by the end"
        ),
        Exhibit(
            "U13",
            "transloadit/uppy#288",
            "a cable is pulled and plugged in again: everything is uploaded once more",
            mistake: "a broken connection is answered by a new upload",
            .createsAnewAfterBrokenPipe,
            breaks: .createdOnce,
            says: "was created again at the server"
        ),
        Exhibit(
            "U14",
            "tus/tus-js-client#730",
            "leaving the page between creation and its note leaves an upload that nobody knows",
            mistake: "the key of a creation is made when it is sent",
            .creationKeyNotStored,
            breaks: .createdOnce,
            says: "was created again at the server"
        ),
        Exhibit(
            "U15",
            "tus/tus-js-client#566",
            "behind a proxy that buffers, the offset stays 0 until a request ends, and each drop costs all of it",
            mistake: "all that is left goes into one request, however often one breaks off",
            .oneChunk,
            breaks: "upload.overhead_pct",
            says: "over budget",
            showing: .profile("buffering-proxy")
        ),
        Exhibit(
            "U17",
            "googleapis/google-cloud-cpp#2980",
            "a chunk is sent again although the server has it",
            mistake: "after a failure the client goes on from its own offset and never asks",
            .offsetTrustedWithoutHEAD,
            breaks: .settles,
            says: "had not finished by the end"
        ),
        Exhibit(
            "U20",
            "Byron/google-apis-rs#286",
            "after a broken pipe the upload goes on behind a gap",
            mistake: "the next chunk follows one that did not arrive",
            .movesOnAfterBrokenPipe,
            breaks: .bytesIdentical,
            says: "was called finished"
        ),
        Exhibit(
            "U21",
            "googleapis/google-cloud-go#1507",
            "a session is lost on its last chunk; the new one is sent the old range",
            mistake: "an error of the server starts a new session at the old offset",
            .newSessionAtOldOffset,
            breaks: .createdOnce,
            says: "was created again at the server"
        ),
        Exhibit(
            "U23",
            "gotev/android-upload-service#156",
            "on a poor network progress passes what arrived",
            mistake: "what the socket took is shown as uploaded",
            .progressFromSocketBytes,
            breaks: .progressHonest,
            says: "but the server had kept"
        ),
        Exhibit(
            "U24",
            "781flyingdutchman/background_downloader#175",
            "an upload that had just ended is uploaded again after a kill",
            mistake: "what was complete but not ticked off is begun anew by the next launch",
            .completeStartsAnew,
            breaks: .createdOnce,
            says: "was created again at the server"
        ),
        Exhibit(
            "U25",
            "android/codelab-android-workmanager#154",
            "after a kill an upload restarts with its first byte",
            mistake: "a launch removes the upload that it finds and begins again",
            .startsOverAfterRelaunch,
            breaks: .progressHonest,
            says: "after it had shown"
        ),
        Exhibit(
            "U27",
            "transloadit/uppy#4375",
            "one of several failed uploads is tried again, and the whole says 'uploading' for ever",
            mistake: "what failed counts as under way",
            .failedCountsAsBusy,
            breaks: "background.window_s",
            says: "over budget",
            showing: .profile("one-of-three-again")
        ),
        Exhibit(
            "U28",
            "vimeo/VimeoUpload#33",
            "after a crash uploads do not go on: the file is not found where it was",
            mistake: "the whole path is stored, and a file that is not there is waited for",
            .missingFileWaitedFor,
            breaks: .settles,
            says: "had not finished by the end",
            showing: .profile("file-gone")
        ),
        Exhibit(
            "U29",
            "nextcloud/android#1454",
            "a file is changed while its upload pauses, and the upload goes on as if it were the same",
            mistake: "whether the file is still the one that was chosen is not looked at",
            .changeNotSeen,
            breaks: .bytesIdentical,
            says: "are not the bytes that were chosen",
            showing: .profile("file-changed")
        ),
    ]
}
