import Quantities

/// Where the models report to: hands each observation to every sink, in the order of the sinks.
package final class ObservationStream {
    private var sinks: [any ObservationSink] = []
    /// Those of them that take packets.
    private var packetSinks: [any ObservationSink] = []

    /// Makes a stream without sinks; what is reported to it is dropped.
    package init() {}

    /// Whether anyone listens: what is costly to say need not be said otherwise.
    package var hasSinks: Bool { !sinks.isEmpty }

    /// Adds a sink, after those already there.
    package func add(_ sink: any ObservationSink) {
        sinks.append(sink)
        if sink.takesPackets { packetSinks.append(sink) }
    }

    /// Takes every sink out: what is reported from here on is dropped.
    package func removeAll() {
        sinks = []
        packetSinks = []
    }

    /// Reports one observation to every sink.
    package func report(
        _ observation: Observation,
        at instant: SimulationInstant,
        device: Int = 0
    ) {
        guard !sinks.isEmpty else { return }
        let record = TraceRecord(instant: instant, device: device, observation: observation)
        for sink in sinks { sink.observe(record) }
    }

    /// Reports a packet that crosses the air: by far the most frequent of all observations.
    package func report(
        _ packet: PacketCrossing,
        at instant: SimulationInstant,
        device: Int = 0
    ) {
        for sink in packetSinks { sink.observe(packet, at: instant, device: device) }
    }

    /// Tells every sink that the run is over.
    package func finish(at end: SimulationInstant) {
        for sink in sinks { sink.finish(at: end) }
    }
}
