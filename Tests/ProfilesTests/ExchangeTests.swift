import Foundation
import NetworkModel
import Profiles
import Quantities
import Testing

/// Networks from and to other tools: figures by their units, round trips, and what gets lost is told.
@Suite struct ExchangeTests {
    private let library = ProfileLibrary(
        folders: [ProfileLibrary.sourceTree + "/profiles"],
        workingDirectory: ProfileLibrary.sourceTree
    )

    /// A phase with figures that every unit divides: ms, KB/s, bytes/s.
    private func phase(
        down: LinkDirection = LinkDirection(rate: .kilobitsPerSecond(1_600), queue: 60),
        up: LinkDirection = LinkDirection(rate: .kilobitsPerSecond(768), queue: 40),
        jitter: Duration = .zero
    ) -> NetworkPhase {
        NetworkPhase(
            name: "p",
            down: down,
            up: up,
            rtt: .milliseconds(300),
            jitter: jitter
        )
    }

    private func configuration(_ phase: NetworkPhase) -> NetworkConfiguration {
        NetworkConfiguration(name: "n", conditions: NetworkConditions(phases: [phase]))
    }

    /// The phase that an imported network's file reads as.
    private func read(_ network: ImportedNetwork) throws -> NetworkPhase {
        try NetworkFile.check(text: network.fileText, path: "n.jsonc", in: library)
            .conditions.phases[0]
    }

    // MARK: netem

    // 300 ms there and back are 150 ms one way; netem's 20 ms +- 10 ms is 10 ms and 0..20 ms of jitter.
    @Test func `netem comes back as it went`() throws {
        let ge = LossModel.gilbertElliottByPacket(
            toBad: .percent(1),
            toGood: .percent(20),
            lossInBad: .percent(90),
            lossInGood: Probability(1, of: 1_000)
        )
        let phase = phase(
            down: LinkDirection(rate: .kilobitsPerSecond(1_600), queue: 60, loss: ge),
            up: LinkDirection(
                rate: .kilobitsPerSecond(768),
                queue: 40,
                loss: .bernoulli(.percent(2))
            ),
            jitter: .milliseconds(20)
        )
        let exported = NetemWriter.export(configuration(phase), phase)
        let back = try read(NetemReader.read(exported.text, title: "t"))
        #expect(back.down == phase.down)
        #expect(back.up == phase.up)
        #expect(back.rtt == phase.rtt)
        #expect(back.jitter == phase.jitter)
        #expect(!back.reorders)
    }

    // 1,600 kbps: a full packet takes 7.5 ms, so 150 ms hold 20; one is in transmission: 60 + 20 + 1.
    @Test func `netem's limit holds what is on its way as well`() {
        let phase = phase()
        let text = NetemWriter.export(configuration(phase), phase).text
        #expect(
            text.contains(
                "tc qdisc replace dev ifb0 root netem limit 81 delay 150ms rate 1600000bit"
            )
        )
        // 768 kbps: 15.625 ms a packet, 9.6 in 150 ms: 40 + 10 + 1.
        #expect(text.contains("root netem limit 51 delay 150ms rate 768000bit\n"))
    }

    // A full packet at 1,600 kbps takes 7.5 ms: 7.5 ms / 15 s = 0.05 %, 7.5 ms / 300 ms = 2.5 %.
    @Test func `loss by time becomes loss by full packets, and that is told`() {
        let loss = LossModel.gilbertElliottByTime(
            goodMean: .seconds(15),
            badMean: .milliseconds(300),
            lossInGood: .never,
            lossInBad: .percent(80)
        )
        let phase = phase(down: LinkDirection(rate: .kilobitsPerSecond(1_600), loss: loss))
        let exported = NetemWriter.export(configuration(phase), phase)
        #expect(exported.text.contains("loss gemodel 0.05% 2.5% 80% 0%"))
        #expect(exported.notes.contains { $0.hasPrefix("down: loss by time became") })
    }

    // tc(8): kbit are 1,000 bits, kbps are 1,000 bytes, a bare rate is in bits; a bare time is in us.
    @Test(arguments: [
        ("rate 1mbit", Int64(1_000_000)), ("rate 500kbit", 500_000), ("rate 125kbps", 1_000_000),
        ("rate 64000", 64_000), ("rate 1.5Mbit", 1_500_000), ("rate 1mibit", 1_048_576),
    ])
    func `tc's units of rate`(options: String, bits: Int64) throws {
        let text = "sudo tc qdisc add dev eth0 root netem \(options)  # up"
        let network = try NetemReader.read(text, title: "t")
        #expect(network.up.rate == .constant(BitRate(bitsPerSecond: bits)))
        #expect(network.down.rate == .constant(.unlimited))
    }

    @Test(arguments: [
        ("delay 100ms", Int64(100_000_000)), ("delay 0.1s", 100_000_000),
        ("delay 100000", 100_000_000), ("latency 250us", 250_000),
    ])
    func `tc's units of time`(options: String, nanoseconds: Int64) throws {
        let network = try NetemReader.read("tc qdisc add dev e root netem \(options)", title: "t")
        #expect(network.oneWay.up == .nanoseconds(nanoseconds))
    }

    // tc-netem(8): without them, r is 1 - p, 1-h is 100 % and 1-k is 0.
    @Test func `Gilbert-Elliott's defaults are netem's`() throws {
        let text = "tc qdisc add dev eth0 root netem loss gemodel 5%"
        #expect(
            try NetemReader.read(text, title: "t").up.loss
                == .gilbertElliottByPacket(
                    toBad: .percent(5),
                    toGood: .percent(95),
                    lossInBad: .always,
                    lossInGood: .never
                )
        )
    }

    @Test func `what netem has and the model has not is told`() throws {
        let text =
            "tc qdisc add dev eth0 root netem delay 100ms 10ms 25% distribution normal "
            + "loss 1% 25% duplicate 1% reorder 25% 50% gap 5 corrupt 0.1%"
        let network = try NetemReader.read(text, title: "t")
        #expect(network.oneWay.up == .milliseconds(90))
        #expect(network.jitter == .milliseconds(20))
        #expect(network.reorders)
        for word in [
            "correlation of delays", "normal", "correlation of losses", "duplicate",
            "reorder", "corrupt",
        ] {
            #expect(network.notes.contains { $0.contains(word) }, "\(word)")
        }
    }

    @Test(arguments: [
        ("\ntc qdisc add dev e root netem dellay 3ms", 2, "netem has no option 'dellay'"),
        ("tc qdisc add dev e root netem delay x", 1, "'x' is no value for delay"),
        ("tc qdisc add dev e root netem loss 101%", 1, "'101%' is no value for loss"),
        ("tc qdisc add dev e root netem rate", 1, "rate has no value"),
        ("echo hello", 0, "there is no tc command with netem or tbf"),
    ])
    func `a mistake in tc commands has its line`(text: String, line: Int, what: String) {
        do throws(ExchangeError) {
            _ = try NetemReader.read(text, title: "t")
            Issue.record("it was read")
        } catch {
            #expect(error.line == line)
            #expect(error.what == what)
            #expect(!error.remedy.isEmpty)
        }
    }

    // MARK: toxiproxy

    @Test func `toxiproxy comes back as it went, but for what it has not`() throws {
        let phase = phase(
            down: LinkDirection(rate: .kilobitsPerSecond(1_600), loss: .bernoulli(.percent(1))),
            jitter: .milliseconds(40)
        )
        let exported = ToxiproxyFormat.export(configuration(phase), phase)
        #expect(exported.notes.contains { $0.hasPrefix("downstream loss: not carried") })
        let back = try read(ToxiproxyFormat.read(exported.text, title: "t"))
        #expect(back.down.rate == phase.down.rate)
        #expect(back.up.rate == phase.up.rate)
        #expect(back.rtt == phase.rtt)
        #expect(back.jitter == phase.jitter)
    }

    // The format: research/network.md, 3.2. 150 ms and half of 40 ms: 170 +- 20. 1,600 kbps are 200 KB/s.
    @Test func `toxics have their fields, whole numbers and units`() throws {
        let phase = phase(jitter: .milliseconds(40))
        let text = ToxiproxyFormat.export(configuration(phase), phase).text
        let toxics = try #require(
            try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]]
        )
        #expect(
            toxics.map { $0["name"] as? String } == [
                "latency_downstream", "bandwidth_downstream", "latency_upstream",
                "bandwidth_upstream",
            ]
        )
        for toxic in toxics {
            #expect(Set(toxic.keys) == ["name", "type", "stream", "toxicity", "attributes"])
        }
        #expect(toxics[0]["attributes"] as? [String: Int] == ["latency": 170, "jitter": 20])
        #expect(toxics[1]["attributes"] as? [String: Int] == ["rate": 200])
        #expect(toxics[3]["attributes"] as? [String: Int] == ["rate": 96])
    }

    @Test func `toxics of a proxy and of a map of proxies read alike`() throws {
        let toxic = #"{ "type": "latency", "stream": "upstream", "attributes": { "latency": 80 } }"#
        let forms = [
            "[\(toxic)]", "{ \"name\": \"web\", \"toxics\": [\(toxic)] }",
            "{ \"web\": { \"name\": \"web\", \"toxics\": [\(toxic)] } }",
        ]
        for form in forms {
            #expect(try ToxiproxyFormat.read(form, title: "t").oneWay.up == .milliseconds(80))
        }
        let two = "{ \"a\": { \"toxics\": [] }, \"b\": { \"toxics\": [] } }"
        #expect(throws: ExchangeError.self) { try ToxiproxyFormat.read(two, title: "t") }
    }

    // MARK: DevTools

    // 1,600 kbps are 200,000 bytes/s, 768 kbps are 96,000.
    @Test func `DevTools comes back as it went, in bytes a second`() throws {
        let phase = phase()
        let text = DevToolsFormat.export(configuration(phase), phase).text
        let fields = try #require(
            try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        )
        #expect(fields["latency"] as? Int == 300)
        #expect(fields["downloadThroughput"] as? Int == 200_000)
        #expect(fields["uploadThroughput"] as? Int == 96_000)
        let back = try read(DevToolsFormat.read(text, title: "t"))
        #expect(back.down.rate == phase.down.rate)
        #expect(back.up.rate == phase.up.rate)
        #expect(back.rtt == phase.rtt)
    }

    // DevTools' own "Slow 4G" as sent to Chrome: 180,000 and 84,375 bytes/s, 562.5 ms.
    @Test func `DevTools' Slow 4G reads as bits a second`() throws {
        let text = """
            { "method": "Network.emulateNetworkConditions", "params": { "offline": false,
              "latency": 562.5, "downloadThroughput": 180000, "uploadThroughput": 84375 } }
            """
        let phase = try read(DevToolsFormat.read(text, title: "t"))
        #expect(phase.down.rate == .constant(.kilobitsPerSecond(1_440)))
        #expect(phase.up.rate == .constant(.kilobitsPerSecond(675)))
        #expect(phase.rtt == .microseconds(562_500))
    }

    @Test func `DevTools' switches: -1 is no limit, offline is no route`() throws {
        let text = #"{ "offline": true, "latency": 0, "downloadThroughput": -1 }"#
        let phase = try read(DevToolsFormat.read(text, title: "t"))
        #expect(phase.down.rate == .constant(.unlimited))
        #expect(phase.interruptions.first?.kind == .down)
    }

    // MARK: Network Link Conditioner

    @Test func `a Link Conditioner profile reads with its units`() throws {
        let plist = """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>Profiles</key><dict><key>Odd</key><dict>
            <key>DownlinkBandwidth</key><integer>2</integer>
            <key>DownlinkBandwidthUnit</key><integer>1</integer>
            <key>DownlinkDelay</key><integer>400</integer>
            <key>DownlinkPacketLossRatio</key><real>1.5</real>
            <key>UplinkBandwidth</key><integer>200</integer>
            <key>UplinkBandwidthUnit</key><integer>0</integer>
            <key>UplinkDelay</key><integer>440</integer>
            <key>UplinkPacketLossRatio</key><integer>0</integer>
            <key>DNSDelayValue</key><integer>3000</integer>
            </dict></dict></dict></plist>
            """
        let network = try LinkConditionerFormat.read(Data(plist.utf8), profile: nil, title: "t")
        let phase = try read(network)
        #expect(phase.down.rate == .constant(.megabitsPerSecond(2)))
        #expect(phase.up.rate == .constant(.kilobitsPerSecond(200)))
        #expect(phase.rtt == .milliseconds(840))
        #expect(phase.down.loss == .bernoulli(Probability(15, of: 1_000)))
        #expect(phase.up.loss == .none)
        #expect(phase.nameLookup == .seconds(3))
        #expect(throws: ExchangeError.self) {
            try LinkConditionerFormat.read(Data(plist.utf8), profile: "Even", title: "t")
        }
        #expect(throws: ExchangeError.self) {
            try LinkConditionerFormat.read(Data("x".utf8), profile: nil, title: "t")
        }
    }

    // MARK: mahimahi

    // 12 Mbps are 1,500 bytes each millisecond; 1,600 kbps are 2 opportunities in 15 ms; 768 kbps are
    // 768,000 / 12,000,000 = 8 / 125.
    @Test(
        arguments: [
            (Int64(12_000), [Int64(1)]), (1_600, [8, 15]), (24_000, [1, 1]),
            (768, [16, 32, 47, 63, 79, 94, 110, 125]),
        ] as [(Int64, [Int64])]
    )
    func `a constant rate is the shortest trace that carries it`(
        kilobits: Int64,
        instants: [Int64]
    ) throws {
        var notes: [String] = []
        let rate = RateSchedule.constant(.kilobitsPerSecond(kilobits))
        #expect(try MahimahiWriter.opportunities(rate, &notes) == instants)
        #expect(notes.isEmpty)
    }

    // 12 Mbps for 3 ms, nothing for 4 ms, 6 Mbps for 3 ms and 12 kbit in 2 ms each: 1, 2, 3, 9, and 6 kbit
    // are left; the period's end is one more line.
    @Test func `steps become opportunities where their bits are there`() throws {
        var notes: [String] = []
        let rate = RateSchedule.repeatedSteps(
            [
                .init(from: .zero, rate: .megabitsPerSecond(12)),
                .init(from: .milliseconds(3), rate: BitRate(bitsPerSecond: 0)),
                .init(from: .milliseconds(7), rate: .megabitsPerSecond(6)),
            ],
            period: .milliseconds(10)
        )
        #expect(try MahimahiWriter.opportunities(rate, &notes) == [1, 2, 3, 9, 10])
        // (12 x 3 + 6 x 3) / 10.
        #expect(MahimahiWriter.meanRate(rate) == .kilobitsPerSecond(5_400))
    }

    @Test func `a trace comes back as it went`() throws {
        let trace: [Int64] = [0, 48, 57, 57, 1_000]
        let link = LinkDirection(rate: .opportunities(trace))
        let phase = phase(down: link)
        let text = try MahimahiWriter.export(configuration(phase), phase, isDown: true).text
        let back = try TraceReader.schedule(bytes: Array(text.utf8), path: "t")
        #expect(back == .opportunities(trace))
        #expect(throws: ExchangeError.self) {
            let free = self.phase(down: LinkDirection(rate: .constant(.unlimited)))
            return try MahimahiWriter.export(configuration(free), free, isDown: true)
        }
    }

    // MARK: All presets

    @Test func `every shipped network can be exported, and netem's reads again`() throws {
        for name in library.presetNames(.networks) {
            let network = try NetworkFile.read(name, in: library)
            let phase = network.conditions.phases[0]
            let back = try read(
                NetemReader.read(NetemWriter.export(network, phase).text, title: "t")
            )
            if case .constant(let rate) = phase.down.rate {
                #expect(back.down.rate == .constant(rate), "\(name)")
            }
            #expect(back.down.loss == phase.down.loss, "\(name)")
            #expect(abs((back.rtt - phase.rtt).wholeNanoseconds) < 4_000, "\(name)")
            _ = try ToxiproxyFormat.read(ToxiproxyFormat.export(network, phase).text, title: "t")
            _ = try DevToolsFormat.read(DevToolsFormat.export(network, phase).text, title: "t")
        }
    }
}
