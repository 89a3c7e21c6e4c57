import CVirtualTime
import Quantities

/// What a process says on stderr when code of a simulated app traps: the virtual time, and whose run.
///
/// The handlers run before those that were there, which go on as if these were not.
package enum TrapNote {
    private static let mark = "onebar: trap at "

    /// From now on a trap is told as `run`'s, such as "seed 7 of commute"; nil ends it.
    package static func set(_ run: String?) {
        guard let run else { return onebar_note_trap(nil) }
        run.withCString { onebar_note_trap($0) }
    }

    /// The virtual time that a process told on stderr as it trapped; nil if it told none.
    package static func instant(in text: String) -> SimulationInstant? {
        for line in text.split(separator: "\n") where line.hasPrefix(mark) {
            let digits = line.dropFirst(mark.count).prefix { $0.isASCII && $0.isNumber }
            if let nanoseconds = Int64(digits) {
                return SimulationInstant(nanoseconds: nanoseconds)
            }
        }
        return nil
    }
}
