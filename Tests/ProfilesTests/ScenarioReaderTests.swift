import Foundation
import NetworkModel
import PhoneModel
import Profiles
import Quantities
import ServerModel
import Testing
import Trace

/// What a profile says, and what comes out.
@Suite struct ScenarioReaderTests {
    private func scenario(_ lines: String) throws -> Scenario {
        let fixture = try ProfileFixture(ProfileFixture.profile(lines))
        return try ScenarioReader.scenario("p", in: fixture.library)
    }

    @Test func `commute reads as the example says`() throws {
        let commute = try ScenarioReader.scenario("commute")
        #expect(commute.warnings.isEmpty)
        #expect(commute.tags == ["pr"])
        #expect(commute.summary.first?.hasPrefix("Front door to desk") == true)
        #expect(commute.run.seeds.bounds == 1...20)
        #expect(commute.conditions.device.model.battery == BatteryCapacity(milliampereHours: 4_500))
        let phases = commute.conditions.network.conditions.phases
        #expect(phases.map(\.name) == ["street", "tunnel", "office"])
        #expect(phases.map(\.interface) == [.cellular, .cellular, .wifi])
        #expect(phases.map(\.isMetered) == [true, true, false])
        #expect(phases[1].interruptions.map(\.at) == [.seconds(60), .seconds(210)])
        #expect(phases[2].handover == Handover(gap: .milliseconds(1_200), newAddress: true))
        #expect(phases[0].down.loss == .bernoulli(Probability(5, of: 1_000)))
        #expect(
            phases[1].up.loss
                == .gilbertElliottByTime(
                    goodMean: .seconds(12),
                    badMean: .milliseconds(300),
                    lossInGood: .never,
                    lossInBad: .percent(60)
                )
        )
        // The faults that name a module stand apart, and all keep their place in the file.
        #expect(commute.scenario.faults.map(\.index) == [0, 1])
        #expect(commute.conditions.faults.map(\.index) == [2, 3])
        #expect(
            commute.faults[0].placement == .after(.uploadChunkAcknowledged, nth: 3)
        )
        #expect(
            commute.faults[3].effect
                == .refuse(
                    status: 503,
                    retryAfter: .seconds(20),
                    route: nil,
                    for: .seconds(90)
                )
        )
        // 40 messages at most 45 s apart: the last after 39 x 45 s = 29 min 15 s; the phases end at 25.
        #expect(commute.activeDuration == .seconds(1_755))
        #expect(
            commute.scenario.workload[3].action
                == .upload(.video, size: QuantityRange(.megabytes(35)))
        )
    }

    @Test func `a field of a preset is overridden in place`() throws {
        let fixture = try ProfileFixture(
            """
            { "onebar": 1, "radio": "lte-2012-aro",
              "device": { "model": "phone", "battery": "5000mAh" },
              "network": { "preset": "slow", "up": "64kbps" },
              \(ProfileFixture.workload) }
            """
        )
        try fixture.write(
            "profiles/networks/slow.jsonc",
            #"{ "source": "made up", "down": "1Mbps", "up": "1Mbps", "one_way": { "down": "400ms", "up": "440ms" } }"#
        )
        let scenario = try ScenarioReader.scenario("p", in: fixture.library)
        #expect(scenario.conditions.device.model.battery.milliampereHours == 5_000)
        #expect(scenario.conditions.device.model.memoryCap == .mebibytes(256))
        let phase = scenario.conditions.network.conditions.phases[0]
        #expect(phase.down.rate == .constant(.megabitsPerSecond(1)))
        #expect(phase.up.rate == .constant(.kilobitsPerSecond(64)))
        // 400 ms there and 440 ms back.
        #expect(phase.rtt == .milliseconds(840))
        #expect(phase.delays.up == .milliseconds(440) && phase.delays.down == .milliseconds(400))
        #expect(scenario.conditions.network.name == "slow")
        #expect(
            scenario.closure.files.map(\.path) == [
                "profiles/p.jsonc", "profiles/devices/phone.jsonc", "profiles/networks/slow.jsonc",
                "profiles/radios/lte-2012-aro.jsonc",
            ]
        )
    }

    @Test func `a radio's alias resolves, and its fields are overridden in place`() throws {
        let fixture = try ProfileFixture(
            """
            { "onebar": 1, "device": "phone",
              "radio": { "cellular": "lte",
                "wifi": { "model": "lte", "tail": [{ "state": "T", "for": "5s" }] } },
              "network": { "down": "8Mbps", "up": "2Mbps", "rtt": "1ms" },
              \(ProfileFixture.workload) }
            """
        )
        try fixture.write("profiles/radios/lte.jsonc", #"{ "alias": "lte-2012-aro" }"#)
        let radios = try ScenarioReader.scenario("p", in: fixture.library).conditions.radios
        #expect(radios.cellular.name == "lte-2012-aro")
        #expect(radios.wifi.name == "lte-2012-aro")
        #expect(tail(of: radios.cellular) == [.seconds(10)])
        #expect(tail(of: radios.wifi) == [.seconds(5)])
    }

    private func tail(of radio: RadioModel) -> [Duration] {
        guard case .chain(let chain) = radio.machine else { return [] }
        return chain.tail.map(\.duration)
    }

    @Test func `a disk's latencies are overridden in place`() throws {
        let fixture = try ProfileFixture(ProfileFixture.profile(ProfileFixture.workload))
        try fixture.write(
            "profiles/devices/phone.jsonc",
            ProfileFixture.phone.replacingOccurrences(
                of: "\"f2fs-ufs\"",
                with: #"{ "model": "ideal", "sync": "2ms" }"#
            )
        )
        let disk = try ScenarioReader.scenario("p", in: fixture.library).conditions.device.disk
        #expect(disk == .ideal(syncing: .milliseconds(2)))
    }

    @Test func `a profile extends another and replaces what it names`() throws {
        let fixture = try ProfileFixture(
            ProfileFixture.profile(
                ProfileFixture.workload
                    + ", \"faults\": [{ \"fault\": \"process.kill\", \"at\": \"1s\" }]"
            )
        )
        try fixture.write(
            "profiles/calm.jsonc",
            #"{ "onebar": 1, "extends": "p", "faults": [], "network": { "rtt": "9ms" } }"#
        )
        let calm = try ScenarioReader.scenario("calm", in: fixture.library)
        #expect(calm.faults.isEmpty)
        #expect(calm.conditions.network.conditions.phases[0].rtt == .milliseconds(9))
        #expect(
            calm.conditions.network.conditions.phases[0].down.rate
                == .constant(.megabitsPerSecond(8))
        )
        #expect(calm.closure.files.map(\.path).contains("profiles/p.jsonc"))
    }

    @Test func `profiles that extend each other in a circle are refused`() throws {
        let fixture = try ProfileFixture(#"{ "onebar": 1, "extends": "q" }"#)
        try fixture.write("profiles/q.jsonc", #"{ "onebar": 1, "extends": "p" }"#)
        #expect(
            fixture.messages().contains {
                $0.contains("error: profiles extend each other in a circle")
            }
        )
    }

    @Test func `the closure's digest follows every file and no path`() throws {
        let text = ProfileFixture.profile(ProfileFixture.workload)
        let (one, other) = (try ProfileFixture(text), try ProfileFixture(text))
        let digest = try ScenarioReader.scenario("p", in: one.library).closure.digest
        #expect(try ScenarioReader.scenario("p", in: other.library).closure.digest == digest)
        try other.write("profiles/devices/phone.jsonc", ProfileFixture.phone + " ")
        #expect(try ScenarioReader.scenario("p", in: other.library).closure.digest != digest)
    }

    @Test func `every fault reads with its parameters`() throws {
        let read = try scenario(
            ProfileFixture.workload + """
                , "faults": [
                { "fault": "process.kill", "during": "database.commit", "nth": 2, "effect": 3 },
                { "fault": "process.force_quit", "at": "1s", "relaunch": "5s" },
                { "fault": "response.lost", "to": "GET /feed", "nth": 2, "after_bytes": 10,
                  "then": "blackhole" },
                { "fault": "request.lost" },
                { "fault": "network.captive", "at": "1s", "for": "9s" },
                { "fault": "connection.reset", "randomly_every": "30s", "strict": false },
                { "fault": "server.error", "to": "GET /feed", "nth": 4, "status": 429,
                  "retry_after": "7s", "times": "all", "stage": "after_effect" }
                ]
                """
        )
        #expect(
            read.faults.map(\.effect) == [
                .killProcess(relaunch: nil), .forceQuit(relaunch: .seconds(5)),
                .loseResponse(afterBytes: 10, .blackhole), .loseRequest(afterBytes: 0, .reset),
                .interruptNetwork(.captive, for: .seconds(9)), .resetConnections,
                .answerError(
                    ErrorScript(
                        route: "GET /feed",
                        nth: 4,
                        status: 429,
                        retryAfter: .seconds(7),
                        times: nil,
                        stage: .afterEffect
                    )
                ),
            ]
        )
        #expect(
            read.faults.map(\.placement) == [
                .during(.databaseCommit, nth: 2, effect: 3), .at(.seconds(1)),
                .request(route: "GET /feed", nth: 2), .request(route: nil, nth: 1),
                .at(.seconds(1)), .poisson(mean: .seconds(30)),
                .request(route: "GET /feed", nth: 4),
            ]
        )
        #expect(read.faults.map(\.isStrict) == [true, true, true, true, true, false, true])
        #expect(read.faults.allSatisfy { $0.kind.rawValue.contains(".") && !$0.namesModule })
    }

    @Test func `every verb reads with its parameters`() throws {
        let read = try scenario(
            """
            "workload": [
            { "do": "message.send", "every": "30s..45s", "from": "5s", "count": 4, "size": "1kB..2kB",
              "conversations": 7 },
            { "do": "file.upload", "at": ["1s", "3s"], "size": "4MB" },
            { "do": "upload.cancel", "at": "4s", "of": "file-2" },
            { "do": "upload.retry", "at": "5s", "of": "file-1" },
            { "do": "request.send", "at": "2s", "to": "POST /x", "body": "1kB", "response": "2kB",
              "calls": 4, "connection": "fresh" },
            { "do": "radio.activity", "every": "20s", "count": 10, "lasts": "1s", "cause": "push",
              "owner": "poll" },
            { "do": "sqlite.insert", "at": "0s", "rows": 1000, "per_transaction": 10,
              "row_size": "64B", "journal": "delete", "synchronous": "normal",
              "full_sync": true, "survives": "kill" }
            ]
            """
        )
        #expect(
            read.scenario.workload.map(\.action) == [
                .sendMessage(
                    size: QuantityRange(.kilobytes(1), .kilobytes(2)),
                    conversations: 7
                ),
                .upload(.file, size: QuantityRange(.megabytes(4))),
                .cancelUpload(of: "file-2"),
                .retryUpload(of: "file-1"),
                .request(
                    RequestAction(
                        route: "POST /x",
                        bodySize: QuantityRange(.kilobytes(1)),
                        responseSize: .kilobytes(2),
                        calls: 4,
                        connection: .fresh
                    )
                ),
                .radioActivity(
                    RadioActivityAction(lasts: .seconds(1), cause: .push, owner: "poll")
                ),
                .insertRows(
                    InsertAction(
                        rows: 1_000,
                        rowsPerTransaction: 10,
                        rowSize: .bytes(64),
                        journal: .delete,
                        synchronous: .normal,
                        usesFullSync: true,
                        survives: .kill
                    )
                ),
            ]
        )
        #expect(
            read.scenario.workload[0].schedule
                == .every(
                    QuantityRange(.seconds(30), .seconds(45)),
                    from: .seconds(5),
                    count: 4
                )
        )
        #expect(read.scenario.workload[1].schedule == .at([.seconds(1), .seconds(3)]))
        // Ten times, 20 s apart from zero: the last begins at 180 s.
        #expect(read.scenario.workload[5].schedule.latest == .seconds(180))
    }

    @Test func `the server's settings reach its configuration`() throws {
        let read = try scenario(
            ProfileFixture.workload + """
                , "server": { "think": "0s", "capacity": 200, "overload_retry_after": "3s",
                  "partial_bodies": { "rolled_back_to_blocks_of": "256KiB" }, "uploads_live": "1h",
                  "upload_lock": "2s", "checksums": false, "upload_path": "/u" }
                """
        )
        let server = read.conditions.server.configuration
        #expect(server.think == QuantityRange(.zero))
        #expect(server.capacity == 200)
        #expect(server.overloadRetryAfter == .seconds(3))
        #expect(server.partialBodies == .rolledBack(toBlocksOf: .kibibytes(256)))
        #expect(server.uploadsLive == .seconds(3_600))
        #expect(server.uploadLock == .seconds(2))
        #expect(!server.checksums && server.uploadPath == "/u")
    }

    @Test func `tokens are read, with what becomes of a used one`() throws {
        func policy(_ tokens: String) throws -> TokenPolicy? {
            try scenario(
                ProfileFixture.workload + #", "server": { "tokens": { \#(tokens) } }"#
            ).conditions.server.configuration.tokens
        }
        #expect(try policy(#""access_tokens_live": "10min""#)?.accessTokensLive == .seconds(600))
        #expect(try policy("")?.usedRefreshToken == .isRefused)
        #expect(try policy(#""used_refresh_token": "refused""#)?.usedRefreshToken == .isRefused)
        #expect(
            try policy(#""used_refresh_token": "until_successor_used""#)?.usedRefreshToken
                == .isForgivenUntilItsSuccessorIsUsed
        )
        #expect(
            try policy(#""used_refresh_token": "60s""#)?.usedRefreshToken
                == .isForgiven(for: .seconds(60))
        )
    }

    @Test func `a server that forgives no used refresh token is warned of`() throws {
        func problems(_ tokens: String) throws -> [String] {
            let fixture = try ProfileFixture(
                ProfileFixture.profile(
                    ProfileFixture.workload + #", "server": { "tokens": { \#(tokens) } }"#
                )
            )
            return FileCheck.check("p", in: fixture.library).problems.map(\.description)
        }
        let lost = "an answer to a refresh that is lost signs the person out"
        #expect(try problems("").contains { $0.contains(lost) })
        #expect(try !problems(#""used_refresh_token": "60s""#).contains { $0.contains(lost) })
        #expect(try !problems(#""refresh_tokens_work_once": false"#).contains { $0.contains(lost) })
    }

    @Test(arguments: [
        (
            #""server": { "tokens": {} }, "fleet": { "clients": 10, "call": "GET /feed" }"#,
            "callers sign in nowhere"
        ),
        (
            #""faults": [{ "fault": "token.expired", "at": "1s" }]"#,
            "nobody is signed in: the server asks for no tokens"
        ),
        (#""server": { "tokens": { "used_refresh_token": "never" } }"#, "or a time such as"),
    ])
    func `tokens that nobody can use are refused`(lines: String, expected: String) throws {
        let workload = lines.contains("fleet") ? "" : ProfileFixture.workload + ", "
        let error = #expect(throws: ProfileError.self) { try scenario(workload + lines) }
        let messages = try #require(error).problems.map(\.description)
        #expect(messages.contains { $0.contains(expected) }, "\(messages)")
    }
}
