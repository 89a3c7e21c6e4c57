import PhoneModel
import Quantities
import SimulationKernel
import Trace

/// What the phone draws beside its radios: awake at all, its screen, its processor, its flash.
///
/// Lasting loads and small amounts are added up and reported once, as the run ends. Of the processor it
/// counts starts of the process, frames, and the parsing of answers; decoding is reported by the decoder.
/// SQLite, TLS and the app's own code are not counted.
final class PhoneEnergy: ObservationSink {
    private let battery: Battery
    private let processor: ProcessorModel
    private let base: Power
    private let screen: Power
    private let flash: DiskProfile.WearEnergy
    /// What was drawn and not reported yet; in order of first use.
    private var pending: [(consumer: EnergyEntry.Consumer, owner: String, energy: Energy)] = []

    init(
        device: DeviceModel,
        flash: DiskProfile.WearEnergy,
        simulation: Simulation,
        observations: ObservationStream,
        number: Int
    ) {
        battery = Battery(
            capacity: device.battery,
            simulation: simulation,
            observations: observations,
            device: number
        )
        processor = device.processor
        base = device.basePower
        screen = device.screenPower
        self.flash = flash
    }

    func setAwake(_ isAwake: Bool) {
        battery.setLoad(isAwake ? base : .zero, of: .base, owner: "")
    }

    func setScreen(on isOn: Bool) {
        battery.setLoad(isOn ? screen : .zero, of: .screen, owner: "")
    }

    /// The processor worked for so long.
    func worked(for span: Duration, owner: String) {
        add(processor.energy(of: span), by: .cpu, owner: owner)
    }

    /// A process was started.
    ///
    /// One that its person asked for is the phone's; any other is the app's.
    func launched(_ cause: LaunchCause) {
        let isAsked = cause == .firstLaunch || cause == .userOpened || cause == .relaunchAfterKill
        worked(for: processor.launch, owner: isAsked ? "system" : "launch")
    }

    /// An answer was parsed.
    func parsed(_ size: ByteCount, owner: String) {
        worked(for: processor.parseTime(size), owner: owner)
    }

    /// Bytes were written to flash, or made durable.
    private func wrote(_ size: ByteCount) {
        let energy = Energy(femtojoules: flash.perByte.femtojoules * Int128(size.bytes))
        add(energy, by: .flash, owner: "storage")
    }

    /// Whether less than this share of a full battery is left.
    func isBelow(_ share: Probability) -> Bool {
        battery.remaining.femtojoules * Int128(share.denominator)
            < battery.capacity.energy.femtojoules * Int128(share.numerator)
    }

    /// The run is over: what is pending is reported.
    func settle() {
        for entry in pending {
            battery.draw(entry.energy, by: entry.consumer, owner: entry.owner)
        }
        pending = []
        battery.settle()
    }

    /// What the radios drew, which they report themselves, and what the disk did.
    func observe(_ record: TraceRecord) {
        switch record.observation {
        case .radioInterval(let interval): battery.drawForRadio(interval.energy)
        case .diskWritten(_, let size): wrote(size)
        case .diskSynced: add(flash.perSync, by: .flash, owner: "storage")
        default: return
        }
    }

    /// Packets cost what the radio says that they do.
    var takesPackets: Bool { false }

    /// Nothing to do: `settle` comes before.
    func finish(at end: SimulationInstant) {}

    private func add(_ energy: Energy, by consumer: EnergyEntry.Consumer, owner: String) {
        guard energy > .zero else { return }
        if let index = pending.firstIndex(where: { $0.consumer == consumer && $0.owner == owner }) {
            pending[index].energy += energy
        } else {
            pending.append((consumer, owner, energy))
        }
    }
}
