import Measurements
import Quantities
import Testing
import Trace

/// `settles`, `client.protocol`, `client.no_crash`, and the user's own.
@Suite struct OtherGuaranteeTests {
    @Test func `what is stuck is listed by kind, four by name`() {
        var script = ObservationScript()
        for number in 1...6 {
            script.promise(Double(number), Int64(number), "m\(number)")
            script.effect(Double(number) + 0.5, "m\(number)")
        }
        script.settle(10, 3)
        let breaches = script.checked(end: 60).breaches
        #expect(breaches.map(\.guarantee) == [.settles])
        #expect(
            breaches[0].message == "5 of 6 promised 'message.send' had not finished by the end, "
                + "1 min: 'm1' (promised at 1.001 s; done at the server, not told), "
                + "'m2' (promised at 2.001 s; done at the server, not told), "
                + "'m4' (promised at 4.001 s; done at the server, not told), "
                + "'m5' (promised at 5.001 s; done at the server, not told), and 1 more"
        )
    }

    @Test func `what neither returned nor threw is stuck, and says what the app waits for`() {
        let launch = ProcessLabel(device: 0, launch: 2)
        var script = ObservationScript()
        script.start(1, 1, "m1")
        // A kill cuts it: nobody waits for it any more.
        script.at(2, .processEnded(ProcessLabel(device: 0, launch: 1), .injectedKill))
        script.start(3, 2, "m2")
        script.at(60, .stillWaiting(launch, "the answer to request 9"))
        script.at(60, .stillWaiting(launch, "a timer that is due at 2 min"))
        let breaches = script.checked(end: 60).breaches
        #expect(breaches.map(\.guarantee) == [.settles])
        #expect(
            breaches.first?.message
                == "1 of the person's actions had neither returned nor thrown by the end, 1 min: "
                + "message 'm2' (begun at 3 s); the app waits for the answer to request 9, "
                + "a timer that is due at 2 min"
        )
    }

    @Test func `what was told, promised and cut is counted apart`() {
        var script = ObservationScript()
        script.promise(1, 1, "m1")
        script.effect(2, "m1")
        script.settle(3, 1)
        script.start(4, 2, "m2")
        script.at(5, .actionRefused(action: 2, reason: "no"))
        script.start(6, 3, "m3")
        script.at(7, .processEnded(ProcessLabel(device: 0, launch: 1), .injectedKill))
        let counts = script.checked(end: 60).counts
        #expect((counts.promised, counts.told, counts.unknown) == (1, 1, 1))
        #expect((counts.lost, counts.duplicated, counts.phantom) == (0, 0, 0))
    }

    @Test func `an effect settles a kind whose app reports nothing`() {
        let scope = GuaranteeScope(seed: 1, untoldKinds: ["message.send"])
        var script = ObservationScript()
        script.promise(1, 1, "m1")
        script.effect(2, "m1")
        script.promise(3, 2, "t1", group: "g")
        script.promise(4, 3, "t2", group: "g")
        script.effect(5, "t2")
        #expect(script.checked(end: 60, scope: scope).breaches.isEmpty)
    }

    @Test func `a violation is reported once for each rule and route`() {
        var script = ObservationScript()
        for seconds in [1.0, 2.0] {
            script.at(
                seconds,
                .protocolViolation(
                    ProtocolViolation(route: "PATCH /files/*", rule: "Upload-Offset is missing")
                )
            )
        }
        script.at(
            3,
            .protocolViolation(ProtocolViolation(route: "POST /files", rule: "no length"))
        )
        let breaches = script.checked(end: 5).breaches
        #expect(breaches.map(\.guarantee) == [.clientProtocol, .clientProtocol])
        #expect(breaches.map(\.occurrences) == [2, 1])
        #expect(breaches[0].message == "PATCH /files/*: Upload-Offset is missing")
        #expect(breaches[0].owner == "PATCH /files/*")
    }

    @Test func `a crash is a breach, other ends are not`() {
        for cause in ExitCause.allCases {
            var script = ObservationScript()
            script.at(2, .processEnded(ProcessLabel(device: 0, launch: 3), cause))
            let breaches = script.checked(end: 5).breaches
            #expect(breaches.map(\.guarantee) == (cause == .crash ? [.noCrash] : []))
            if cause == .crash {
                #expect(breaches[0].message == "the app crashed at 2 s, in launch 3")
            }
        }
    }

    @Test func `a user's own guarantee has its own name`() {
        var script = ObservationScript()
        script.at(2, .guaranteeBroken(name: "cart.total_matches", message: "12 is not 13"))
        let breach = script.checked(end: 5).breaches[0]
        #expect(breach.guarantee == GuaranteeName("cart.total_matches"))
        #expect(breach.message == "12 is not 13")
    }

    @Test func `guarantees are ordered as they are documented`() {
        let names = [GuaranteeName("a.own"), .settles, .exactlyOnce, GuaranteeName("b.own")]
        #expect(names.sorted() == [.exactlyOnce, .settles, names[0], names[3]])
    }
}
