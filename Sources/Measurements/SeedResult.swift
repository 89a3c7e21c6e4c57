import Quantities

/// All that judgement and reports need of one seed; crosses the pipe of a worker process as a line.
package struct SeedResult: Codable, Sendable, Equatable {
    /// The seed.
    package var seed: UInt64
    /// How time was made virtual: "captured" or "portable".
    package var mode: String
    /// Metric readings in the order of the catalogue.
    package var metrics: [MetricReading]
    /// Broken guarantees in order of time.
    package var breaches: [GuaranteeBreach]
    /// What became of each declared fault, by index.
    package var faults: [FaultAccount]
    /// Who drew how much energy, largest first.
    package var energy: [OperationEnergy]
    /// What would have saved most energy, largest first; nil unless it was searched.
    package var advice: [EnergyAdvice]?
    /// The rolling fingerprint at the end, as 16 hexadecimal digits.
    package var fingerprint: String
    /// When the run ended, in virtual time.
    package var virtualEnd: SimulationInstant
    /// How long it took on the host.
    ///
    /// Never written to a report: it differs from run to run.
    package var hostNanoseconds: Int64
    /// The app's own log lines, bounded by who made them.
    package var log: [StoryLine]
    /// What is drawn of it, if it was recorded.
    package var timeline: Timeline?

    /// Makes a result.
    package init(
        seed: UInt64,
        mode: String,
        metrics: [MetricReading],
        breaches: [GuaranteeBreach] = [],
        faults: [FaultAccount] = [],
        energy: [OperationEnergy] = [],
        advice: [EnergyAdvice]? = nil,
        fingerprint: String,
        virtualEnd: SimulationInstant,
        hostNanoseconds: Int64 = 0,
        log: [StoryLine] = [],
        timeline: Timeline? = nil
    ) {
        self.seed = seed
        self.mode = mode
        self.metrics = metrics
        self.breaches = breaches
        self.faults = faults
        self.energy = energy
        self.advice = advice
        self.fingerprint = fingerprint
        self.virtualEnd = virtualEnd
        self.hostNanoseconds = hostNanoseconds
        self.log = log
        self.timeline = timeline
    }

    /// The value of `metric`, or the mean of its samples; `nil` if the seed did not touch it.
    package func value(of metric: MetricName) -> Double? {
        metrics.first { $0.name == metric }?.summary
    }
}
