import Foundation
import Profiles
import Testing

/// One test case for every kind of mistake: the place, the value and the remedy, to the letter.
@Suite struct BadProfileTests {
    private func messages(_ lines: String) throws -> [String] {
        try ProfileFixture(ProfileFixture.profile(lines)).messages()
    }

    private func messages(of action: String) throws -> [String] {
        try messages("\"workload\": [\(action)]")
    }

    private func messages(withFault fault: String) throws -> [String] {
        try messages(ProfileFixture.workload + ",\n\"faults\": [\(fault)]")
    }

    @Test func `the profile that the cases vary is right`() throws {
        #expect(try messages(ProfileFixture.workload).isEmpty)
    }

    // `"workload": [` is 13 characters, so an action begins in column 14 of line 5.
    @Test(arguments: [
        (
            #"{ "do": "mesage.send", "at": "1s" }"#,
            #"5:22: error: "mesage.send" is no "do" of action (did you mean "message.send"?)"#
        ),
        (
            #"{ "do": "teleport", "at": "1s" }"#,
            #"5:22: error: "teleport" is no "do" of action (one of: message.send, like.toggle, "#
                + "photo.upload, video.upload, file.upload, upload.cancel, upload.retry, request.send, "
                + "radio.activity, sqlite.insert, "
                + "list.scroll, main.block, app.leave, app.use, push.receive, phone.carry, "
                + "phone.charge)"
        ),
        (
            #"{ "at": "1s" }"#,
            #"5:14: error: action has no "do" (add "do": "message.send")"#
        ),
        (
            #"{ "do": "message.send" }"#,
            #"5:14: error: an action does not say when (add "at": "1min", or "every": "30s" with "count")"#
        ),
        (
            #"{ "do": "message.send", "at": "1s", "every": "2s", "count": 1 }"#,
            #"5:14: error: an action has both "at" and "every" (keep one)"#
        ),
        (
            #"{ "do": "message.send", "every": "2s" }"#,
            #"5:14: error: an action with "every" has no "count" (say how often: "count": 40)"#
        ),
        (
            #"{ "do": "message.send", "at": [] }"#,
            #"5:44: error: the action never happens (write at least one instant)"#
        ),
        (
            #"{ "do": "message.send", "at": "2m" }"#,
            #"5:44: error: '2m' is not a duration ('m' could be minutes or milli; write "min" or "ms")"#
        ),
        (
            #"{ "do": "message.send", "at": "-2s" }"#,
            #"5:44: error: '-2s' is negative (write a duration of zero or more, such as "150ms")"#
        ),
        (
            #"{ "do": "message.send", "at": 90 }"#,
            #"5:44: error: the number 90 stands where "at" needs a quantity "#
                + #"(quantities carry their unit: "90ms", "90KiB", "90%")"#
        ),
        (
            #"{ "do": "message.send", "every": "9s..3s", "count": 2 }"#,
            "5:47: error: '9s..3s' is a range that ends before it starts (write the smaller value first)"
        ),
        (
            #"{ "do": "message.send", "every": "9s", "count": 0 }"#,
            #"5:62: error: 0 is out of range for "count" (write 1 to 10000000)"#
        ),
        (
            #"{ "do": "message.send", "every": "9s", "count": "40" }"#,
            #"5:62: error: the string "40" stands where "count" needs a whole number (write a whole number)"#
        ),
        (
            #"{ "do": "message.send", "every": "9s", "count": 1.5 }"#,
            "5:62: error: 1.5 is not a whole number in range (write digits only)"
        ),
        (
            #"{ "do": "photo.upload", "at": "1s", "size": "15mbps" }"#,
            #"5:58: error: '15mbps' is not a size (that is a rate; a size is in bytes, such as "15MB")"#
        ),
        (
            #"{ "do": "photo.upload", "at": "1s" }"#,
            #"5:14: error: action has no "size" (add "size": "3.5MB")"#
        ),
        (
            #"{ "do": "photo.upload", "at": "1s", "size": "0B" }"#,
            "5:58: error: an upload of no bytes (write a size above zero)"
        ),
        (
            #"{ "do": "upload.cancel", "at": "1s" }"#,
            #"5:14: error: action has no "of" (add "of": "file-1")"#
        ),
        (
            #"{ "do": "upload.cancel", "at": "1s", "of": "file-1" }"#,
            #"5:57: error: no upload before this one is called "file-1" "#
                + #"(put it after the upload: { "do": "file.upload", "at": "1s", "size": "1MB" })"#
        ),
        (
            #"{ "do": "file.upload", "at": "1s", "size": "1kB" }, "#
                + #"{ "do": "upload.retry", "at": "2s", "of": "photo-1" }"#,
            #"5:108: error: no upload before this one is called "photo-1" "#
                + #"(count by kind, such as "file-1")"#
        ),
        (
            #"{ "do": "message.send", "at": "1s", "sise": "1kB" }"#,
            #"5:50: error: unknown key "sise" in action (did you mean "size"?)"#
        ),
        (
            #"{ "do": "like.toggle", "at": "1s", "size": "1kB" }"#,
            #"5:49: error: unknown key "size" in action (one of: do, with, at, every, from, count, taps, within)"#
        ),
        (
            #"{ "do": "request.send", "at": "1s", "to": "feed" }"#,
            #"5:56: error: "feed" is not a route (write a method and a path, such as "POST /messages")"#
        ),
        (
            #"{ "do": "request.send", "at": "1s", "to": "PSOT /feed" }"#,
            #"5:56: error: "PSOT" is not a method (did you mean "POST"?)"#
        ),
        (
            #""message.send""#,
            #"5:14: error: the string "message.send" stands where action belongs "#
                + #"(write an object: { "key": value })"#
        ),
    ])
    func `a wrong action is refused`(action: String, expected: String) throws {
        #expect(try messages(of: action).first == "profiles/p.jsonc:" + expected)
    }

    // `"faults": [` is 11 characters, so a fault begins in column 12 of line 6.
    @Test(arguments: [
        (
            #"{ "fault": "proces.kill", "at": "1s" }"#,
            #"6:23: error: "proces.kill" is no "fault" of fault (did you mean "process.kill"?)"#
        ),
        (
            #"{ "fault": "process.kill" }"#,
            #"6:12: error: "process.kill" does not say when it strikes "#
                + #"(place it by one of: "at", "after", "during", "in", "randomly_every")"#
        ),
        (
            #"{ "fault": "process.kill", "at": "1s", "after": "app.launched" }"#,
            #"6:51: error: a fault strikes at one place, not by "at" and "after" "#
                + #"(place it by one of: "at", "after", "during", "in", "randomly_every")"#
        ),
        (
            #"{ "fault": "process.kill", "after": "upload.chunk.acknowleged" }"#,
            #"6:48: error: "upload.chunk.acknowleged" is no "after" of fault "#
                + #"(did you mean "upload.chunk.acknowledged"?)"#
        ),
        (
            #"{ "fault": "process.kill", "during": "upload.completed" }"#,
            #"6:49: error: "upload.completed" is over in an instant "#
                + #"(write "after", or one of: database.commit, outbox.commit, upload.commit)"#
        ),
        (
            #"{ "fault": "process.kill", "at": "1s", "nth": 2 }"#,
            #"6:51: error: "nth" counts anchors, and there is none (remove it, or place the fault by "after")"#
        ),
        (
            #"{ "fault": "network.down", "at": "1s" }"#,
            #"6:12: error: fault has no "for" (add "for": "90s")"#
        ),
        (
            #"{ "fault": "network.down", "at": "1s", "for": "0s" }"#,
            "6:58: error: a fault of no time (write a duration above zero)"
        ),
        (
            #"{ "fault": "network.down", "during": "outbox.commit", "for": "1s" }"#,
            #"6:39: error: "network.down" cannot be placed by "during" (place it by one of: "at", "after")"#
        ),
        (
            #"{ "fault": "server.unavailable", "at": "1s", "for": "5s", "status": 200 }"#,
            #"6:80: error: 200 is out of range for "status" (write 400 to 599)"#
        ),
        (
            #"{ "fault": "response.lost", "nth": 0 }"#,
            #"6:47: error: 0 is out of range for "nth" (write 1 to 1000000000)"#
        ),
        (
            #"{ "fault": "request.lost", "then": "close" }"#,
            #"6:47: error: "close" is something that a server does to its answer "#
                + "(write one of: reset, blackhole; or lose the response)"
        ),
        (
            #"{ "fault": "disk.locked", "at": "1s", "folder": "/images", "for": "1s" }"#,
            #"6:60: error: "/images" is no folder below the app's own (write "images")"#
        ),
        (
            #"{ "fault": "source.removed", "at": "1s", "of": "message-1" }"#,
            #"6:59: error: "message-1" is no upload (count by kind: "file-1" is the first file.upload)"#
        ),
        (
            #"{ "fault": "disk.locked", "at": "1s", "folder": "images", "file": "a", "for": "1s" }"#,
            #"6:78: error: a fault has both "folder" and "file" (keep one)"#
        ),
        (
            #"{ "fault": "backup.restored", "at": "1s" }"#,
            #"6:12: error: fault has no "taken" (add "taken": "10s")"#
        ),
        (
            #"{ "fault": "backup.restored", "at": "1s", "taken": "1s" }"#,
            "6:63: error: the backup is made at 1 s, and restored before that "
                + #"(write an instant before "at")"#
        ),
        (
            #"{ "fault": "database.busy", "at": "1s", "for": "1s" }"#,
            #"6:12: error: fault has no "database" (add "database": "outbox.sqlite")"#
        ),
        (
            #"{ "fault": "connection.reset", "randomly_every": "0s" }"#,
            "6:61: error: infinitely many faults (write a mean above zero)"
        ),
    ])
    func `a wrong fault is refused`(fault: String, expected: String) throws {
        #expect(try messages(withFault: fault).first == "profiles/p.jsonc:" + expected)
    }

    @Test func `a fault that the lab cannot do is refused rather than ignored`() throws {
        for kind in FaultKind.allCases where !FaultKind.supported.contains(kind) {
            let found = try messages(
                withFault:
                    "{ \"fault\": \"\(kind.rawValue)\", \"at\": \"1s\", \"forward\": \"1h\" }"
            )
            #expect(
                found.contains {
                    $0.contains("\"\(kind.rawValue)\" is declared, but not simulated yet")
                }
            )
        }
    }

    @Test(arguments: [
        (#""workload": []"#, #"5:13: error: the workload is empty "#),
        (#""tags": []"#, "1:1: error: the workload is empty "),
    ])
    func `an empty workload is refused`(lines: String, expected: String) throws {
        let remedy =
            #"(add an action: { "do": "message.send", "every": "30s", "count": 10 })"#
        #expect(try messages(lines) == ["profiles/p.jsonc:" + expected + remedy])
    }

    // The phase is put in as line 5 of its own profile: `"network": ` is 11 characters.
    @Test(arguments: [
        (
            #"{ "down": "8Mbps", "up": "2Mbps", "delay": "50ms" }"#,
            #"2:46: error: "delay" does not say in how many directions "#
                + #"(write "rtt" for there and back or "one_way")"#
        ),
        (
            #"{ "down": "8Mbps", "up": "2Mbps", "rtt": "50ms", "one_way": "25ms" }"#,
            #"2:61: error: "rtt" and "one_way" are both there "#
                + "(keep one; rtt is one_way there plus one_way back)"
        ),
        (
            #"{ "down": "8Mbps", "up": "2Mbps" }"#,
            #"2:12: error: network has no "rtt" (add "rtt": "70ms" (there and back) or "one_way")"#
        ),
        (
            #"{ "down": "8MB", "up": "2Mbps", "rtt": "1ms" }"#,
            "2:22: error: '8MB' has the unknown unit 'MB' "
                + #"(write a rate such as "12Mbps"; units: bps, kbps, Mbps, Gbps)"#
        ),
        (
            #"{ "down": "0bps", "up": "2Mbps", "rtt": "1ms" }"#,
            "2:22: error: at 0 bps nothing ever passes "
                + #"(write "dead_zones" for stretches without a network)"#
        ),
        (
            #"{ "down": "8Mbps", "up": "2Mbps", "rtt": "1ms", "loss": "7/5" }"#,
            #"2:68: error: '7/5' is greater than 1 (write a ratio between 0 and 1, such as "2%" or "1/50")"#
        ),
        (
            #"{ "down": "8Mbps", "up": "2Mbps", "rtt": "1ms", "loss": "120%" }"#,
            #"2:68: error: '120%' is greater than 1 (write a ratio between 0 and 1, such as "2%" or "1/50")"#
        ),
        (
            #"{ "down": "8Mbps", "up": "2Mbps", "rtt": "1ms", "loss": { "model": "gilbert" } }"#,
            #"2:79: error: "gilbert" is no "model" of "loss" (one of: bernoulli, gilbert-elliott)"#
        ),
        (
            #"{ "phases": [] }"#,
            #"2:24: error: the network has no phase (add one: { "down": … })"#
        ),
        (
            #"{ "phases": [{ "down": "8Mbps", "up": "2Mbps", "rtt": "1ms" }, { "down": "8Mbps", "up": "2Mbps", "rtt": "1ms" }] }"#,
            #"2:25: error: a phase that is not the last has no "for" (say how long it lasts: "for": "5min")"#
        ),
        (
            #"{ "down": "8Mbps", "up": "2Mbps", "rtt": "1ms", "for": "10s", "dead_zones": [{ "at": "8s", "for": "5s" }] }"#,
            "2:89: error: a dead zone ends 13 s into a phase of 10 s (end it within the phase)"
        ),
        (
            #""nowhere""#,
            #"2:12: error: there is no network "nowhere" (put nowhere.jsonc into profiles/networks)"#
        ),
        (
            #"{ "down": [{ "from": "1s", "rate": "1Mbps" }], "up": "2Mbps", "rtt": "1ms" }"#,
            #"2:23: error: a step begins out of order (the first begins at "0s", each next one later)"#
        ),
    ])
    func `a wrong network is refused`(network: String, expected: String) throws {
        let text = """
            { "onebar": 1, "device": "phone", "radio": "lte-2012-aro",
            "network": \(network),
            \(ProfileFixture.workload) }
            """
        #expect(try ProfileFixture(text).messages().first == "profiles/p.jsonc:" + expected)
    }

    @Test(arguments: [
        (#""seeds": "20..1""#, #"'20..1' is a range that ends before it starts (write "1..20")"#),
        (
            #""seeds": "many""#,
            #"'many' is not a range of seeds (write one seed or a range: "7" or "1..20")"#
        ),
        (
            #""seeds": true"#,
            #"true stands where seeds belong (write one seed or a range: "seeds": "1..20")"#
        ),
        (
            #""seeds": "1..2000000""#,
            #"'1..2000000' is more than 1000000 seeds (write one seed or a range: "7" or "1..20")"#
        ),
        (
            #""seeds": -3"#,
            #"'-3' is not a range of seeds (write one seed or a range: "7" or "1..20")"#
        ),
    ])
    func `wrong seeds are refused`(seeds: String, expected: String) throws {
        let text = """
            { "onebar": 1, "device": "phone", "radio": "lte-2012-aro",
            "network": { "down": "8Mbps", "up": "2Mbps", "rtt": "1ms" },
            \(ProfileFixture.workload),
            "run": { \(seeds) } }
            """
        // `"run": { "seeds": ` is 18 characters.
        #expect(
            try ProfileFixture(text).messages() == ["profiles/p.jsonc:4:19: error: " + expected]
        )
    }

    @Test func `unknown keys, missing parts and wrong versions are all told at once`() throws {
        let fixture = try ProfileFixture(
            """
            { "onebar": 2, "devise": "phone",
              "app": { "outbox": { "paralel": 2 }, "retry": { "base": "9s", "ceiling": "1s" } } }
            """
        )
        #expect(
            fixture.messages() == [
                #"profiles/p.jsonc:1:1: error: profile has no "device" (add "device": "android-mid")"#,
                #"profiles/p.jsonc:1:1: error: profile has no "network" (add "network": "wpt-4g")"#,
                #"profiles/p.jsonc:1:1: error: profile has no "radio" (add "radio": { "cellular": "lte" })"#,
                #"profiles/p.jsonc:1:1: error: the workload is empty "#
                    + #"(add an action: { "do": "message.send", "every": "30s", "count": 10 })"#,
                "profiles/p.jsonc:1:13: error: the profile is of format 2 (this onebar reads format 1)",
                #"profiles/p.jsonc:1:16: error: unknown key "devise" in profile (did you mean "device"?)"#,
                #"profiles/p.jsonc:2:24: error: unknown key "paralel" in "outbox" (did you mean "parallel"?)"#,
                "profiles/p.jsonc:2:76: error: the ceiling is below the base of 9 s "
                    + "(write a ceiling of at least the base)",
            ]
        )
    }

    @Test func `what does not fit into the run is refused`() throws {
        let fixture = try ProfileFixture(
            """
            { "onebar": 1, "device": "phone", "radio": "lte-2012-aro",
              "network": { "down": "8Mbps", "up": "2Mbps", "rtt": "1ms" },
              "run": { "for": "1h" },
              "workload": [{ "do": "message.send", "every": "10min..20min", "count": 8 }],
              "faults": [{ "fault": "process.kill", "at": "2h" }] }
            """
        )
        // The eighth message comes 7 intervals of at least 10 min after the first: at 70 min.
        #expect(
            fixture.messages() == [
                "profiles/p.jsonc:4:16: error: the action goes on until 1 h 10 min, the run ends at 1 h "
                    + #"(lengthen "run": { "for": … } or do it less often)"#,
                "profiles/p.jsonc:5:14: error: the fault strikes at 2 h, after the run's end at 1 h "
                    + #"(place it earlier, or lengthen "run": { "for": … })"#,
            ]
        )
    }

    @Test func `one route with two sizes of answers is refused`() throws {
        let found = try messages(
            """
            "workload": [
            { "do": "request.send", "at": "1s", "to": "GET /feed", "response": "1kB" },
            { "do": "request.send", "at": "2s", "to": "GET /feed", "response": "2kB" }]
            """
        )
        #expect(
            found == [
                "profiles/p.jsonc:7:1: error: GET /feed answers 2 kB here and 1 kB above "
                    + #"(give both the same "response", or call another path)"#
            ]
        )
    }

    @Test func `phases that end before the workload are a warning`() throws {
        let fixture = try ProfileFixture(
            """
            { "onebar": 1, "device": "phone", "radio": "lte-2012-aro",
              "network": { "down": "8Mbps", "up": "2Mbps", "rtt": "1ms", "for": "1min" },
              "workload": [{ "do": "message.send", "at": ["30s", "90s"] }] }
            """
        )
        #expect(
            fixture.messages() == [
                "profiles/p.jsonc:2:3: warning: the phases end at 1 min, the workload goes on until at "
                    + #"least 1 min 30 s (the last phase lasts on; drop its "for" to say so)"#
            ]
        )
    }

    @Test func `an error in a preset names the preset's file`() throws {
        let fixture = try ProfileFixture(ProfileFixture.profile(ProfileFixture.workload))
        try fixture.write(
            "profiles/devices/phone.jsonc",
            ProfileFixture.phone.replacingOccurrences(of: "4000mAh", with: "4000mA")
        )
        #expect(
            fixture.messages() == [
                "profiles/devices/phone.jsonc:1:68: error: '4000mA' has the unknown unit 'mA' "
                    + #"(write a battery charge such as "4500mAh"; units: mAh, Ah)"#
            ]
        )
    }

    // `"budgets": { ` is 13 characters, so a metric begins in column 14 of line 6.
    @Test(arguments: [
        (
            #""radio.enrgy_j": "p95 <= 950J""#,
            #"6:14: error: 'radio.enrgy_j' is not a metric (did you mean "radio.energy_j"?)"#
        ),
        (
            #""radio.energy_j": "p95 <= 950MB""#,
            "6:32: error: 'p95 <= 950MB' has a limit that is not in the unit of 'radio.energy_j': "
                + "'950MB' has the unknown unit 'MB' "
                + #"(write an energy such as "950J"; units: nJ, uJ, mJ, J, kJ)"#
        ),
        (
            #""radio.energy_j": 950"#,
            #"6:32: error: the number 950 stands where a limit belongs (write "p95 <= 950J")"#
        ),
        (
            #""radio.energy_j": { "limit": "max <= 9J", "level": "panic" }"#,
            #"6:65: error: "panic" is no "level" of budget (one of: fail, warn)"#
        ),
        (
            #""radio.energy_j": ["max <= 9J", "p95 <= 9J"]"#,
            "6:46: warning: p95 over 1 seed is its value "
                + #"(run at least 20 seeds, or write "max")"#
        ),
    ])
    func `a wrong budget is refused, a weak one is a warning`(
        budget: String,
        expected: String
    ) throws {
        let found = try messages(ProfileFixture.workload + ",\n\"budgets\": { \(budget) }")
        #expect(found == ["profiles/p.jsonc:" + expected])
    }

    @Test func `an unknown radio, disk or preset is named with the nearest`() throws {
        let fixture = try ProfileFixture(
            """
            { "onebar": 1, "device": { "model": "phone", "disk": "f2fs-usf" },
            "radio": "lte-2012-arp",
            "network": { "down": "8Mbps", "up": "2Mbps", "rtt": "1ms" },
            "server": "strict",
            \(ProfileFixture.workload) }
            """
        )
        #expect(
            fixture.messages() == [
                #"profiles/p.jsonc:1:54: error: there is no disk "f2fs-usf" (did you mean "f2fs-ufs"?)"#,
                #"profiles/p.jsonc:2:10: error: there is no radio "lte-2012-arp" (did you mean "lte-2012-aro"?)"#,
                #"profiles/p.jsonc:4:11: error: there is no server "strict" (put strict.jsonc into profiles/servers)"#,
            ]
        )
    }

    // The transport begins in column 25 of line 2: `"network": { "transport": ` is 26 characters.
    @Test(arguments: [
        (
            #"{ "http": "h3", "security": "tls1.2" }"#,
            #"HTTP/3 is always encrypted by TLS 1.3 (RFC 9001) "#
                + #"(write "security": "tls1.3" or leave it out)"#
        ),
        (
            #"{ "http": "h3", "early_data": true }"#,
            #"early data needs a session to resume (add "resumption": true)"#
        ),
        (
            #"{ "security": "tls1.2", "resumption": true, "early_data": true }"#,
            "only TLS 1.3 has early data (RFC 8446, 2.3) "
                + #"(write "security": "tls1.3" or leave "early_data" out)"#
        ),
        (
            #"{ "http": "h2", "migration": true }"#,
            "only QUIC takes a connection along to another address "
                + #"(write "http": "h3" or leave "migration" out)"#
        ),
    ])
    func `a transport that no client has is refused`(transport: String, expected: String) throws {
        let fixture = try ProfileFixture(
            """
            { "onebar": 1, "device": "phone", "radio": "lte-2012-aro",
            "network": { "transport": \(transport), "down": "8Mbps", "up": "2Mbps", "rtt": "1ms" },
            \(ProfileFixture.workload) }
            """
        )
        let messages = fixture.messages()
        #expect(messages.count == 1)
        #expect(messages.first?.hasPrefix("profiles/p.jsonc:2:") == true)
        #expect(messages.first?.hasSuffix("error: " + expected) == true, "\(messages)")
    }

    @Test(arguments: [
        (
            #""app": { "live": { "over": "sse" } }"#,
            "the app listens (\"live\") to a server that publishes nothing "
                + "(add \"server\": { \"stream\": { \"every\": \"30s\" } })"
        ),
        (
            #""app": { "live": { "ping": "30s" } }, "server": { "stream": { "every": "30s" } }"#,
            "only WebSockets have pings; with server-sent events the server has the heartbeat "
                + "(write \"over\": \"websocket\", or \"heartbeat\" in \"server.stream\")"
        ),
        (
            #""app": { "live": { "retry": "0s" } }, "server": { "stream": { "every": "30s" } }"#,
            "\"retry\" of no time (write a duration above zero)"
        ),
        (
            #""app": { "live": {} }, "server": { "stream": { "every": "0s" } }"#,
            "events without time between them (write a duration above zero)"
        ),
    ])
    func `an event stream that cannot be is refused`(lines: String, expected: String) throws {
        let fixture = try ProfileFixture(
            """
            { "onebar": 1, "device": "phone", "radio": "lte-2012-aro",
            "network": { "down": "8Mbps", "up": "2Mbps", "rtt": "1ms" }, \(lines),
            \(ProfileFixture.workload) }
            """
        )
        let messages = fixture.messages()
        #expect(messages.count == 1)
        #expect(messages.first?.hasSuffix("error: " + expected) == true, "\(messages)")
    }

    @Test(arguments: [
        (
            #""rtt": "1ms""#,
            #""app": { "live": {} }, "server": { "stream": { "every": "30s" } }, "#,
            #"a "proxy" lets no event stream by (drop "proxy", or "live")"#
        ),
        (
            #""transport": "ideal", "rtt": "0ms""#, "",
            #"the ideal transport knows no "proxy" (leave it out, or drop "transport": "ideal")"#
        ),
    ])
    func `what would go round a proxy is refused`(
        network: String,
        lines: String,
        expected: String
    ) throws {
        let fixture = try ProfileFixture(
            """
            { "onebar": 1, "device": "phone", "radio": "lte-2012-aro",
            "network": { "down": "8Mbps", "up": "2Mbps", "proxy": {}, \(network) }, \(lines)
            \(ProfileFixture.workload) }
            """
        )
        let messages = fixture.messages()
        #expect(messages.count == 1)
        #expect(messages.first?.hasSuffix("error: " + expected) == true, "\(messages)")
    }

    @Test func `what the ideal transport has no notion of is refused`() throws {
        let fixture = try ProfileFixture(
            """
            { "onebar": 1, "device": "phone", "radio": "lte-2012-aro",
            "network": { "transport": "ideal", "down": "8Mbps", "up": "2Mbps", "rtt": "1ms" },
            \(ProfileFixture.workload),
            "faults": [{ "fault": "response.lost", "to": "POST /messages" }] }
            """
        )
        #expect(
            fixture.messages() == [
                #"profiles/p.jsonc:2:1: error: the ideal transport knows no "rtt" or "one_way" "#
                    + #"(set it to zero, or drop "transport": "ideal")"#,
                #"profiles/p.jsonc:4:12: error: the ideal transport knows no "response.lost" "#
                    + #"(use "connection.reset" or "network.down", or drop the transport)"#,
            ]
        )
    }

    @Test func `an unknown operating system is refused`() throws {
        let fixture = try ProfileFixture(ProfileFixture.profile(ProfileFixture.workload))
        try fixture.write(
            "profiles/devices/phone.jsonc",
            ProfileFixture.phone.replacingOccurrences(of: "android-14", with: "andriod-14")
        )
        #expect(
            fixture.messages() == [
                #"profiles/devices/phone.jsonc:1:43: error: "andriod-14" is no "os" of device "#
                    + #"(did you mean "android-14"?)"#
            ]
        )
    }

    @Test func `a missing profile names the nearest and the folders`() throws {
        let fixture = try ProfileFixture("{}")
        try fixture.write("profiles/commute.jsonc", "{}")
        do throws(ProfileError) {
            _ = try ScenarioReader.scenario("comute", in: fixture.library)
            Issue.record("found")
        } catch {
            #expect(error.kind == .missing)
            #expect(
                error.description
                    == #"comute: error: there is no profile of this name (did you mean "commute"?)"#
            )
        }
        #expect(
            fixture.messages("quite-another")
                == [
                    "quite-another: error: there is no profile of this name (searched: profiles)"
                ]
        )
    }

    @Test func `a folder and a file of another kind are not taken for missing profiles`() throws {
        let fixture = try ProfileFixture("{}")
        try fixture.write("notes.txt", "hello")
        #expect(fixture.messages("profiles").first?.contains("error: this is a folder") == true)
        let told =
            "notes.txt: error: this is no profile by its name (a profile's name ends in .jsonc)"
        #expect(fixture.messages("notes.txt") == [told])
    }

    @Test func `a missing path is a missing input`() throws {
        let fixture = try ProfileFixture("{}")
        do throws(ProfileError) {
            _ = try ScenarioReader.scenario("my/own.jsonc", in: fixture.library)
            Issue.record("found")
        } catch {
            #expect(error.kind == .missing)
            #expect(
                error.description
                    == "my/own.jsonc: error: there is no such file "
                    + "(check the path; it is taken from \(fixture.folder))"
            )
        }
    }
}
