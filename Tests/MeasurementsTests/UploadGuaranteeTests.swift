import Measurements
import Quantities
import Testing
import Trace

/// `upload.bytes_identical`, `upload.created_once`, `upload.progress_honest`.
@Suite struct UploadGuaranteeTests {
    /// A good upload up to the point where the server holds 600 of 1,000 bytes.
    private func begun(_ length: Int64 = 1_000) -> ObservationScript {
        var script = ObservationScript()
        script.pick(0, 1, "photo1")
        script.upload(1, .created(length: .bytes(length)))
        script.upload(2, .appended(offset: .bytes(600)))
        return script
    }

    private func finish(_ script: inout ObservationScript, digest: UInt64 = 42) {
        script.upload(8, .appended(offset: .bytes(1_000)))
        script.upload(8, .completed(digest: digest))
        script.settle(9, 1)
    }

    private func breaches(_ script: ObservationScript) -> [GuaranteeBreach] {
        script.checked(end: 20).breaches
    }

    @Test func `an honest upload breaks nothing`() {
        var script = begun()
        script.at(3, .uploadProgress(action: 1, shown: .bytes(600)))
        script.at(4, .uploadProgress(action: 1, shown: .bytes(600)))
        finish(&script)
        script.at(9, .uploadProgress(action: 1, shown: .bytes(1_000)))
        #expect(breaches(script).isEmpty)
    }

    @Test func `other bytes of the same length are corrupt`() {
        var script = begun()
        finish(&script, digest: 43)
        let checks = script.checked(end: 20)
        #expect(checks.breaches.map(\.guarantee) == [.bytesIdentical])
        #expect(checks.counts.corrupt == 1)
        #expect(
            checks.breaches[0].message == "photo 'photo1' finished at the server at 8 s, but its "
                + "1 kB are not the bytes that were chosen"
        )
    }

    @Test func `another length is corrupt, whatever the digest`() {
        var script = begun(999)
        finish(&script)
        #expect(breaches(script).map(\.guarantee) == [.bytesIdentical])
    }

    @Test func `finished in the app and not at the server is a lie`() {
        var script = begun()
        script.settle(9, 1)
        #expect(
            breaches(script).map(\.message) == [
                "photo 'photo1' was called finished at 9 s, but the server holds 600 B of 1 kB"
            ]
        )
    }

    @Test func `a second creation while the first one lives is one too many`() {
        var script = begun()
        script.upload(5, .created(length: .bytes(1_000)), "u2")
        finish(&script)
        let all = breaches(script)
        #expect(all.map(\.guarantee) == [.createdOnce])
        #expect(
            all[0].message == "photo 'photo1' was created again at the server at 5 s, as 'u2', "
                + "while 'u1' of 1 s was still there with 600 B"
        )
    }

    @Test func `a second creation after the first one expired is right`() {
        for end in [ServerUploadEvent.Kind.expired, .terminated] {
            var script = begun()
            script.upload(4, end)
            script.upload(5, .created(length: .bytes(1_000)), "u2")
            script.upload(8, .completed(digest: 42), "u2")
            script.settle(9, 1)
            #expect(breaches(script).isEmpty)
        }
    }

    @Test func `a second upload of a finished file is one too many`() {
        var script = begun()
        finish(&script)
        script.upload(10, .created(length: .bytes(1_000)), "u2")
        #expect(breaches(script).map(\.guarantee) == [.createdOnce])
    }

    // Request 7 was on its way when the app said that the file is gone; request 8 was not.
    @Test func `what was taken back may still arrive, and is not gone on with`() {
        var script = begun()
        script.request(3, 7, "", owner: "upload", route: "PATCH /files/*")
        script.settle(4, 1, .cancelled)
        script.upload(5, .appended(offset: .bytes(800)), request: 7)
        #expect(breaches(script).isEmpty)
        script.request(6, 8, "", owner: "upload", route: "PATCH /files/*")
        script.upload(7, .appended(offset: .bytes(900)), request: 8)
        let all = breaches(script)
        #expect(all.map(\.guarantee) == [.createdOnce])
        #expect(
            all[0].message == "photo 'photo1' was taken back at 4 s and gone on with: 'u1' came to "
                + "900 B at the server at 7 s, by a request that was sent after that"
        )
    }

    @Test func `what was taken back and is chosen again is uploaded again`() {
        var script = begun()
        script.settle(4, 1, .cancelled)
        script.upload(4, .terminated)
        script.pick(5, 2, "photo1")
        script.request(6, 8, "", owner: "upload", route: "POST /files")
        script.upload(7, .created(length: .bytes(1_000)), "u2", request: 8)
        script.upload(8, .completed(digest: 42), "u2", request: 8)
        script.settle(9, 2)
        #expect(breaches(script).isEmpty)
    }

    @Test func `two files have two uploads`() {
        var script = begun()
        script.pick(3, 2, "photo2")
        script.upload(4, .created(length: .bytes(1_000)), "u2", of: "photo2")
        script.upload(5, .completed(digest: 42), "u2", of: "photo2")
        script.settle(6, 2)
        finish(&script)
        #expect(breaches(script).isEmpty)
    }

    @Test func `progress ahead of the server is dishonest`() {
        var script = begun()
        script.at(3, .uploadProgress(action: 1, shown: .bytes(601)))
        finish(&script)
        #expect(
            breaches(script).map(\.message) == [
                "photo 'photo1' showed 601 B as uploaded at 3 s, but the server had kept 600 B"
            ]
        )
    }

    @Test func `progress that falls is dishonest, and counts each time`() {
        var script = begun()
        for (seconds, shown) in [(3.0, 600), (4.0, 500), (5.0, 600), (6.0, 0)] {
            script.at(seconds, .uploadProgress(action: 1, shown: .bytes(Int64(shown))))
        }
        finish(&script)
        let checks = script.checked(end: 20)
        #expect(checks.breaches.map(\.guarantee) == [.progressHonest])
        #expect(checks.breaches[0].occurrences == 2)
        #expect(checks.counts.progressRegressions == 2)
    }

    @Test(arguments: [ActionOutcome.deadLettered, .sourceUnavailable])
    func `a file that is called failed and stands whole is a lie`(outcome: ActionOutcome) {
        var script = begun()
        script.request(7, 10, "op1", route: "PATCH /files")
        script.upload(8, .appended(offset: .bytes(1_000)), request: 10)
        script.upload(8, .completed(digest: 42), request: 10)
        script.at(9, .requestEnded(RequestEnd(request: 10, result: .failure("timedOut"))))
        script.settle(10, 1, outcome)
        let all = breaches(script)
        #expect(all.map(\.guarantee) == [.bytesIdentical])
        #expect(
            all.map(\.message) == [
                "the app said at 10 s that photo 'photo1' failed (\(outcome.rawValue)), but it stands "
                    + "whole at the server since 8 s, as 'u1'; the answer never arrived: request 10 "
                    + "failed: timedOut at 9 s"
            ]
        )
    }

    @Test func `a file that is called failed and does not stand whole is none`() {
        // Half of it; whole, and gone again; whole, and called unknown or what the server said.
        var half = begun()
        half.settle(9, 1, .deadLettered)
        #expect(breaches(half).isEmpty)
        for end in [ServerUploadEvent.Kind.expired, .terminated] {
            var gone = begun()
            gone.upload(8, .completed(digest: 42))
            gone.upload(9, end)
            gone.settle(9, 1, .deadLettered)
            #expect(breaches(gone).isEmpty)
        }
        for outcome in [ActionOutcome.unknown, .rejected, .expired] {
            var script = begun()
            script.upload(8, .completed(digest: 42))
            script.settle(9, 1, outcome)
            #expect(breaches(script).isEmpty, "\(outcome)")
        }
    }

    @Test func `a server that has the file and answered that it has not is believed`() {
        for (status, isLie) in [(422, false), (500, true)] {
            var script = begun()
            script.request(7, 10, "op1", route: "PATCH /files")
            script.upload(8, .completed(digest: 42), request: 10)
            script.at(9, .requestEnded(RequestEnd(request: 10, result: .status(status))))
            script.settle(10, 1, .deadLettered)
            #expect(breaches(script).isEmpty != isLie, "\(status)")
        }
    }

    @Test func `a second try that the app calls finished accounts for the file`() {
        var script = begun()
        script.settle(3, 1, .deadLettered)
        script.pick(4, 2, "photo1")
        script.upload(8, .completed(digest: 42))
        script.settle(9, 2)
        #expect(breaches(script).isEmpty)
    }

    @Test func `an upload that is promised and never settles is stuck`() {
        let all = breaches(begun())
        #expect(all.map(\.guarantee) == [.settles])
        #expect(
            all[0].message == "1 of 1 promised 'photo.upload' had not finished by the end, 20 s: "
                + "'photo1' (promised at 1 ms)"
        )
    }
}
