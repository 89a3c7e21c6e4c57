import Quantities
import Trace

/// All judgement of one seed in one place: add it to the stream, run, take the result.
///
/// Bundles the metrics, the guarantees, the faults' accounts and, if asked, the timeline.
package final class SeedJudge: ObservationSink {
    /// What a judge has to know before the run.
    package struct Setting: Sendable {
        /// What the checks must know, the seed first.
        package var scope: GuaranteeScope
        /// The battery, for its share.
        package var capacity: BatteryCapacity?
        /// How many phones there are.
        package var phones = 1
        /// What the radios drew in the same seed without the app, if that run was made.
        package var counterfactualRadioEnergy: Energy?
        /// Other apps on the phone: what they draw is not the app's.
        package var otherOwners: Set<String>
        /// The window of `server.peak_requests`.
        package var serverWindow: Duration
        /// Whether the run has packets to count; a crowd has requests only.
        package var countsPackets = true
        /// Why faults were left out of the run, by index.
        package var skippedFaults: [Int: String]
        /// Whether metrics are counted; without, the result has none.
        package var measures: Bool
        /// Whether the timeline is recorded.
        package var recordsTimeline: Bool
        /// The server, if the timeline shall show what comes to it.
        package var server: ServerTrack?
        /// Most log lines that are kept; the first ones are.
        package var logLimit: Int

        /// Makes a setting.
        package init(
            scope: GuaranteeScope,
            capacity: BatteryCapacity? = nil,
            counterfactualRadioEnergy: Energy? = nil,
            otherOwners: Set<String> = [],
            serverWindow: Duration = .milliseconds(100),
            skippedFaults: [Int: String] = [:],
            measures: Bool = true,
            recordsTimeline: Bool = false,
            logLimit: Int = 200
        ) {
            self.scope = scope
            self.capacity = capacity
            self.counterfactualRadioEnergy = counterfactualRadioEnergy
            self.otherOwners = otherOwners
            self.serverWindow = serverWindow
            self.skippedFaults = skippedFaults
            self.measures = measures
            self.recordsTimeline = recordsTimeline
            self.logLimit = logLimit
        }
    }

    /// The server as a timeline shows it.
    package struct ServerTrack: Sendable {
        /// Requests a second that it serves; nil for any number.
        package var capacity: Int?

        /// Makes a track.
        package init(capacity: Int?) {
            self.capacity = capacity
        }
    }

    private let setting: Setting
    private let measurement: RunMeasurement
    private let checks: GuaranteeChecks
    private let faults: FaultLedger
    private let recorder: TimelineRecorder?
    private var log: [StoryLine] = []
    private var end = SimulationInstant.zero

    /// Makes a judge.
    package init(_ setting: Setting) {
        self.setting = setting
        measurement = RunMeasurement(
            capacity: setting.capacity,
            counterfactualRadioEnergy: setting.counterfactualRadioEnergy,
            otherOwners: setting.otherOwners,
            serverWindow: setting.serverWindow,
            scope: setting.scope,
            phones: setting.phones,
            countsPackets: setting.countsPackets
        )
        checks = GuaranteeChecks(scope: setting.scope)
        faults = FaultLedger(names: setting.scope.faultNames, skipped: setting.skippedFaults)
        recorder =
            setting.recordsTimeline
            ? TimelineRecorder(scope: setting.scope, server: setting.server) : nil
    }

    /// Takes in one record.
    package func observe(_ record: TraceRecord) {
        if setting.measures { measurement.observe(record) }
        checks.observe(record)
        faults.observe(record)
        recorder?.observe(record)
        if case .logged(let label, let text) = record.observation, log.count < setting.logLimit {
            log.append(StoryLine(record.instant, "\(label.text): \(text)"))
        }
    }

    /// Takes in a packet: only metrics count them.
    package func observe(_ packet: PacketCrossing, at instant: SimulationInstant, device: Int) {
        if setting.measures { measurement.observe(packet) }
    }

    /// Told once, after the last record.
    package func finish(at end: SimulationInstant) {
        self.end = end
        measurement.finish(at: end)
        checks.finish(at: end)
        recorder?.finish(at: end)
    }

    /// What the person was told, and what became of it at the server; after `finish(at:)`.
    package var counts: GuaranteeCounts { checks.counts }

    /// Breaches so far: a hunt may stop at the first.
    package var breaches: [GuaranteeBreach] { checks.breaches }

    /// What the radios drew: the counterfactual for the same seed with the app.
    package var radioEnergy: Energy { measurement.radioEnergy }

    /// The result of the seed; call it after `finish(at:)`.
    package func result(
        mode: String,
        fingerprint: String,
        hostNanoseconds: Int64 = 0
    ) -> SeedResult {
        SeedResult(
            seed: setting.scope.seed,
            mode: mode,
            metrics: setting.measures
                ? measurement.measuredRun(counts: checks.counts).readings : [],
            breaches: checks.breaches,
            faults: faults.result,
            energy: measurement.operations,
            fingerprint: fingerprint,
            virtualEnd: end,
            hostNanoseconds: hostNanoseconds,
            log: log,
            timeline: recorder?.timeline
        )
    }
}
