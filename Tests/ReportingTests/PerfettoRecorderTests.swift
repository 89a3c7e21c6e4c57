import Foundation
import Quantities
import Testing
import Trace
@testable import Reporting

/// A trace for Perfetto, read back by the format's own description.
@Suite struct PerfettoRecorderTests {
    /// A message whose first answer is lost: two attempts of one operation, one effect.
    private static func recorded() -> PerfettoRecorder {
        let recorder = PerfettoRecorder(title: "test, seed 7", faultNames: ["process.kill"])
        func at(_ seconds: Int64, _ observation: Observation, device: Int = 0) {
            recorder.observe(
                TraceRecord(
                    instant: .zero + .seconds(seconds),
                    device: device,
                    observation: observation
                )
            )
        }
        func request(_ number: Int64) -> Observation {
            .requestStarted(
                RequestStart(
                    request: number,
                    method: "POST",
                    route: "POST /messages",
                    operation: "POST /messages key 1",
                    bodySize: .bytes(20),
                    owner: "outbox"
                )
            )
        }
        let first = ProcessLabel(device: 0, launch: 1)
        let second = ProcessLabel(device: 0, launch: 2)
        at(0, .processLaunched(first, .firstLaunch))
        at(0, .appStateChanged(.foreground))
        at(
            1,
            .actionStarted(UserAction(action: 1, kind: "message.send", identity: "m1"))
        )
        at(1, .committed(database: "outbox"))
        at(1, .actionPromised(action: 1))
        at(2, request(1))
        at(3, .requestEnded(RequestEnd(request: 1, result: .failure("timedOut"))))
        at(4, .logged(first, "trying again"))
        at(4, .fault(index: 0, .fired(detail: "the app was killed")))
        at(5, .processEnded(first, .injectedKill))
        at(5, .appStateChanged(.notRunning))
        at(6, .fault(index: 0, .healed))
        at(6, .processLaunched(second, .userOpened))
        at(6, .appStateChanged(.foreground))
        at(7, request(2))
        at(
            8,
            .serverEffect(
                ServerEffect(
                    route: "POST /messages",
                    identity: "m1",
                    entity: "",
                    occurrence: 1,
                    request: 2
                )
            )
        )
        at(9, .requestEnded(RequestEnd(request: 2, result: .status(201))))
        at(9, .actionSettled(action: 1, .acknowledged))
        at(
            10,
            .radioInterval(
                RadioInterval(
                    radio: "lte",
                    start: .zero + .seconds(2),
                    end: .zero + .seconds(10),
                    state: "ACTIVE",
                    kind: .active,
                    energy: Energy(nanojoules: 8_000_000_000),
                    shares: []
                )
            )
        )
        // Another device's, which is none of ours.
        at(10, .logged(ProcessLabel(device: 1, launch: 1), "from afar"), device: 1)
        recorder.finish(at: .zero + .seconds(20))
        return recorder
    }

    private static func read() throws -> PerfettoReader {
        try PerfettoReader(Data(recorded().trace()))
    }

    @Test func `an arrow leads from the intent through its attempts to its commit`() throws {
        let reader = try Self.read()
        let intent = try #require(try reader.slices(on: "person").first)
        #expect(intent.begin.name == "message.send m1")
        #expect((intent.begin.time, intent.end) == (1_000_000_000, 9_000_000_000))
        #expect(intent.begin.details["the app said"] == "acknowledged")
        let flow = try #require(intent.begin.flows.first)

        let attempts = try reader.slices(on: "module outbox")
        #expect(attempts.map(\.begin.time) == [2_000_000_000, 7_000_000_000])
        #expect(attempts.map { $0.begin.details["result"] } == ["timedOut", "201"])
        #expect(attempts.allSatisfy { $0.begin.flows == [flow] })

        let commit = try #require(reader.events(on: "server").first { $0.category == "commit" })
        #expect(commit.time == 8_000_000_000)
        #expect(commit.endingFlows == [flow])
    }

    @Test func `states of the app lie within the launch that they belong to`() throws {
        let slices = try Self.read().slices(on: "app")
        let told = slices.map { slice in
            "\(slice.begin.name) in \(slice.parent ?? "-"): \(slice.end / 1_000_000_000)"
        }
        #expect(
            told.sorted() == [
                "foreground in launch 1: 5", "foreground in launch 2: 20", "launch 1 in -: 5",
                "launch 2 in -: 20",
            ]
        )
    }

    @Test func `radio, disk, faults and log have tracks below the phone`() throws {
        let reader = try Self.read()
        let radio = try reader.slices(on: "radio lte")
        #expect(radio.map(\.begin.name) == ["ACTIVE"])
        // 8 J in 8 s.
        #expect(reader.events(on: "radio lte power").map(\.value) == [1_000])
        #expect(reader.events(on: "disk").map(\.name) == ["commit outbox"])
        #expect(try reader.slices(on: "fault").map(\.begin.name) == ["process.kill"])
        #expect(reader.events(on: "log").map(\.name) == ["launch 1: trying again"])
        let processes = reader.tracks.values.filter(\.isProcess).map(\.name).sorted()
        #expect(processes == ["test, seed 7: phone", "test, seed 7: server"])
        for track in reader.tracks.values where !track.isProcess {
            let parent = track.parent.flatMap { reader.tracks[$0] }
            #expect(parent?.isProcess == true, "\(track.name) hangs in the air")
        }
    }

    @Test func `what overlaps is put side by side, and time never goes back`() throws {
        let recorder = PerfettoRecorder(title: "t", faultNames: [])
        for number in 1...3 as ClosedRange<Int64> {
            recorder.observe(
                TraceRecord(
                    instant: .zero + .seconds(number),
                    device: 0,
                    observation: .actionStarted(
                        UserAction(action: number, kind: "tap", identity: "")
                    )
                )
            )
        }
        recorder.finish(at: .zero + .seconds(9))
        let reader = try PerfettoReader(Data(recorder.trace()))
        for lane in 1...3 {
            #expect(try reader.slices(on: "person \(lane)").map(\.end) == [9_000_000_000])
        }
        #expect(reader.events.map(\.time) == reader.events.map(\.time).sorted())
    }

    @Test func `what the app's death cut ends with it`() throws {
        let recorder = PerfettoRecorder(title: "t", faultNames: ["process.kill"])
        let launch = ProcessLabel(device: 0, launch: 1)
        let start = RequestStart(
            request: 1,
            method: "GET",
            route: "GET /feed",
            operation: "",
            bodySize: .zero,
            owner: "app"
        )
        let script: [(Int64, Observation)] = [
            (1, .processLaunched(launch, .firstLaunch)),
            (2, .actionStarted(UserAction(action: 1, kind: "tap", identity: ""))),
            (2, .requestStarted(start)),
            (3, .fault(index: 0, .fired(detail: "the app was killed"))),
            (3, .processEnded(launch, .injectedKill)),
        ]
        for (seconds, observation) in script {
            recorder.observe(
                TraceRecord(
                    instant: .zero + .seconds(seconds),
                    device: 0,
                    observation: observation
                )
            )
        }
        recorder.finish(at: .zero + .seconds(9))
        let reader = try PerfettoReader(Data(recorder.trace()))
        #expect(try reader.slices(on: "person").map(\.end) == [3_000_000_000])
        #expect(try reader.slices(on: "module app").map(\.end) == [3_000_000_000])
        // A kill takes no time.
        #expect(try reader.slices(on: "fault").map(\.end) == [3_000_000_000])
    }

    @Test func `the same run gives the same bytes`() {
        #expect(Self.recorded().trace() == Self.recorded().trace())
    }
}
