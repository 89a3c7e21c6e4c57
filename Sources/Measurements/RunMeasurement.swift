import Quantities
import Trace

/// Folds the observations of one seed into its metrics.
///
/// Integers and exact energy until the end. It keeps what a metric needs and never the run: a set
/// of operations, the open actions, and the samples of sampled metrics.
package final class RunMeasurement: ObservationSink {
    private var radio: RadioFold
    private var energy: EnergyFold
    private var network: NetworkFold
    private var process = ProcessFold()
    private var memory = MemoryFold()
    private var storage = StorageFold()
    private var outbox: OutboxFold
    private var upload = UploadFold()
    private var retry = RetryFold()
    private var server: ServerFold
    private var own = UserMetricFold()
    private var screen = ScreenFold()
    private var live = LiveFold()
    private var end = SimulationInstant.zero

    /// Makes a measurement.
    ///
    /// - Parameters:
    ///   - capacity: The battery; without one, its shares are absent.
    ///   - counterfactualRadioEnergy: What the radios drew in the same seed without the app.
    ///   - otherOwners: Other apps on the phone: what they draw is not the app's.
    ///   - serverWindow: The window of `server.peak_requests`.
    ///   - scope: Which actions are the outbox's, and which kinds their first effect settles.
    ///   - phones: How many phones there are.
    ///   - countsPackets: Whether the run has packets: a crowd of clients has requests only.
    package init(
        capacity: BatteryCapacity? = nil,
        counterfactualRadioEnergy: Energy? = nil,
        otherOwners: Set<String> = [],
        serverWindow: Duration = .milliseconds(100),
        scope: GuaranteeScope = GuaranteeScope(seed: 0),
        phones: Int = 1,
        countsPackets: Bool = true
    ) {
        network = NetworkFold(countsPackets: countsPackets)
        radio = RadioFold(counterfactual: counterfactualRadioEnergy)
        energy = EnergyFold(capacity: capacity, others: otherOwners, phones: phones)
        outbox = OutboxFold(scope: scope)
        server = ServerFold(window: serverWindow)
    }

    /// Takes in one record; packets go only to the folds that count them.
    package func observe(_ record: TraceRecord) {
        switch record.observation {
        case .packet(let packet):
            observe(packet)
        case .radioInterval:
            radio.observe(record)
            energy.observe(record)
        case .memoryChanged:
            memory.observe(record)
        case .live:
            live.observe(record)
        case .diskWritten, .diskSynced, .diskUsed, .committed:
            storage.observe(record)
        case .packetLost, .connectionClosed, .logged, .settleBegan, .stillWaiting, .uploadProgress,
            .protocolViolation, .guaranteeBroken:
            return
        default:
            energy.observe(record)
            network.observe(record)
            process.observe(record)
            outbox.observe(record)
            upload.observe(record)
            retry.observe(record)
            server.observe(record)
            own.observe(record)
            screen.observe(record)
        }
    }

    /// Takes in one packet.
    func observe(_ packet: PacketCrossing) {
        network.observe(packet)
        upload.observe(packet)
    }

    /// Notes when the run ended.
    package func finish(at end: SimulationInstant) {
        self.end = end
    }

    /// The metrics; `counts` are those of the guarantees' checks of the same run.
    package func measuredRun(counts: GuaranteeCounts = GuaranteeCounts()) -> MeasuredRun {
        let folds: [any MeasurementFold] = [
            radio, energy, network, process, memory, storage, outbox, upload, retry, server, own,
            screen, live,
        ]
        var readings = folds.flatMap { $0.readings(at: end) }
        if readings.contains(where: { $0.name.text == "outbox.enqueued" }) {
            readings.append(MetricReading("outbox.lost", count: counts.lost))
            readings.append(MetricReading("outbox.duplicated", count: counts.duplicated))
            readings.append(MetricReading("outbox.reordered", count: counts.reordered))
        }
        if readings.contains(where: { $0.name.text == "upload.sessions" }) {
            readings.append(MetricReading("upload.corrupt", count: counts.corrupt))
            readings.append(
                MetricReading("upload.progress_regressions", count: counts.progressRegressions)
            )
        }
        return MeasuredRun(readings)
    }

    /// Who drew how much energy, largest first.
    package var operations: [OperationEnergy] { energy.operations }

    /// What the radios drew, idle too: the counterfactual of a run with the app.
    package var radioEnergy: Energy { radio.totalEnergy }
}
