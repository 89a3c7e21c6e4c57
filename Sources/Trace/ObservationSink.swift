import Quantities

/// Takes in observations as they happen: a measurement, a guarantee, a writer of files.
///
/// A sink is a fold: it keeps what it needs and never the whole run.
package protocol ObservationSink: AnyObject {
    /// Takes in one record; records come in order of time.
    func observe(_ record: TraceRecord)
    /// Whether packets are of any use to it; asked once, when it is added.
    var takesPackets: Bool { get }
    /// Takes in a packet that crosses the air; as a record, unless the sink has a shorter way.
    func observe(_ packet: PacketCrossing, at instant: SimulationInstant, device: Int)
    /// Told once, after the last record.
    func finish(at end: SimulationInstant)
}

extension ObservationSink {
    /// Packets are, unless the sink says otherwise.
    package var takesPackets: Bool { true }

    /// Takes the packet in as a record like any other.
    package func observe(_ packet: PacketCrossing, at instant: SimulationInstant, device: Int) {
        observe(TraceRecord(instant: instant, device: device, observation: .packet(packet)))
    }
}
