import PhoneModel
import Quantities
import SimulationKernel
import Testing
import Trace

/// Doze on AOSP's constants: timelines by hand.
@Suite struct DozeMachineTests {
    let bench = PhoneBench()

    static let policy = DozePolicy(
        light: DozePolicy.Light(
            after: .seconds(60),
            preIdle: .seconds(180),
            idle: DozePolicy.Growth(first: .seconds(300), factor: 2, longest: .seconds(900)),
            budget: QuantityRange(.seconds(60), .seconds(300)),
            shortest: .seconds(5)
        ),
        deep: DozePolicy.Deep(
            after: .seconds(1_800),
            pending: .seconds(1_800),
            sensing: .seconds(240),
            locating: .seconds(30),
            afterMotion: .seconds(600),
            idle: DozePolicy.Growth(first: .seconds(3_600), factor: 2, longest: .seconds(21_600)),
            window: DozePolicy.Growth(first: .seconds(300), factor: 2, longest: .seconds(600)),
            shortest: .seconds(30)
        )
    )

    /// What a phone does whose screen goes dark at zero: "60 light", in seconds.
    private func timeline(
        until end: Int64,
        hasWork: @escaping () -> Bool = { false },
        happens: (DozeMachine) -> Void = { _ in }
    ) -> [String] {
        let doze = DozeMachine(policy: Self.policy, simulation: bench.simulation)
        var story: [String] = []
        doze.hasWork = hasWork
        doze.onChange = { [simulation = bench.simulation] state in
            story.append("\(simulation.instant.nanoseconds / 1_000_000_000) \(state.rawValue)")
        }
        bench.simulation.schedule(at: .zero) { doze.setScreen(on: false) }
        happens(doze)
        bench.run(until: .seconds(end))
        return story
    }

    private func after(_ seconds: Int64, _ action: @escaping () -> Void) {
        bench.simulation.schedule(at: .zero + .seconds(seconds), action)
    }

    // Nothing to do in any window: each lasts its shortest, 5 s. Holds of 5, 10, 15, 15 min.
    @Test func `light doze holds for 5, 10 and 15 min with windows between`() {
        #expect(
            timeline(until: 3_000) == [
                "0 inactive", "60 light", "360 lightWindow", "365 light", "965 lightWindow",
                "970 light", "1870 lightWindow", "1875 light", "2775 lightWindow", "2780 light",
            ]
        )
    }

    // 30 min + 30 min + 4 min + 30 s = 3,870 s; then holds of 1, 2, 4, 6 h with windows of 30 s.
    @Test func `deep doze begins after 64.5 min and holds for 1, 2, 4 and 6 h`() {
        let deep = timeline(until: 60_000).filter { $0.contains("deep") }
        #expect(
            deep == [
                "3870 deep", "7470 deepWindow", "7500 deep", "14700 deepWindow", "14730 deep",
                "29130 deepWindow", "29160 deep", "50760 deepWindow", "50790 deep",
            ]
        )
    }

    // Work that never ends: the first hold waits 3 min more, and a window lasts its whole budget of 1 min.
    @Test func `work puts the first hold off by 3 min and keeps a window open for its budget`() {
        #expect(
            timeline(until: 1_300, hasWork: { true }) == [
                "0 inactive", "240 light", "540 lightWindow", "600 light", "1200 lightWindow",
                "1260 light",
            ]
        )
    }

    // The window at 360 s takes 5 of its 60 s: the next may take 60 + 55 = 115 s, from 965 to 1,080 s.
    @Test func `what one window did not use the next may`() {
        var works = false
        let story = timeline(
            until: 1_200,
            hasWork: { works },
            happens: { _ in
                after(900) { works = true }
            }
        )
        #expect(
            story == [
                "0 inactive", "60 light", "360 lightWindow", "365 light", "965 lightWindow",
                "1080 light",
            ]
        )
    }

    // The work ends 20 s into the window.
    @Test func `a window closes when its work has ended`() {
        var works = false
        let story = timeline(
            until: 1_000,
            hasWork: { works },
            happens: { doze in
                after(300) { works = true }
                after(380) {
                    works = false
                    doze.workEnded()
                }
            }
        )
        #expect(
            story == [
                "0 inactive", "60 light", "360 lightWindow", "380 light", "980 lightWindow",
                "985 light",
            ]
        )
    }

    @Test func `the screen ends doze and begins it anew`() {
        let story = timeline(
            until: 800,
            happens: { doze in
                after(400) { doze.setScreen(on: true) }
                after(500) { doze.setScreen(on: false) }
            }
        )
        #expect(
            story == [
                "0 inactive", "60 light", "360 lightWindow", "365 light", "400 awake",
                "500 inactive", "560 light",
            ]
        )
    }

    @Test func `a phone that is plugged in does not doze`() {
        let story = timeline(
            until: 900,
            happens: { doze in
                after(30) { doze.setCharging(true) }
                after(700) { doze.setCharging(false) }
            }
        )
        #expect(story == ["0 inactive", "30 awake", "700 inactive", "760 light"])
    }

    // Carried about from 1,000 to 2,000 s: at 1,800 s it is noticed; 10 min after the end of the motion the
    // wait of 30 + 4 + 0.5 min begins, 2,000 + 600 + 2,070 = 4,670 s.
    @Test func `a phone that is carried about does not doze deeply, but lightly`() {
        let story = timeline(
            until: 5_000,
            happens: { doze in
                after(1_000) { doze.setMoving(true) }
                after(2_000) { doze.setMoving(false) }
            }
        )
        #expect(story.filter { $0.contains("deep") } == ["4670 deep"])
        #expect(story.contains("1870 lightWindow"))
    }

    // Taken up at 5,000 s, in deep doze: light doze begins anew, 60 s later.
    @Test func `motion ends a deep hold`() {
        let story = timeline(
            until: 5_100,
            happens: { doze in
                after(5_000) { doze.setMoving(true) }
            }
        )
        #expect(story.suffix(3) == ["3870 deep", "5000 inactive", "5060 light"])
    }
}
