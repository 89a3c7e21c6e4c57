import Quantities

/// Takes in observations as they happen: a measurement, a guarantee, a writer of files.
///
/// A sink is a fold: it keeps what it needs and never the whole run.
package protocol ObservationSink: AnyObject {
    /// Takes in one record; records come in order of time.
    func observe(_ record: TraceRecord)
    /// Told once, after the last record.
    func finish(at end: SimulationInstant)
}
