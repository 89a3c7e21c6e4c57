import NetworkModel
import Quantities

/// Commands or a file for another tool, and what of the network they do not carry.
package struct ExportedNetwork: Equatable, Sendable {
    /// The commands or the file, ending with a line break.
    package var text: String
    /// One sentence for each part that is not carried, or not exactly.
    package var notes: [String]

    /// Makes an export.
    package init(text: String, notes: [String]) {
        self.text = text
        self.notes = notes
    }

    /// What a tool of one unchanging link leaves out of `network`, whichever tool it is.
    static func commonNotes(_ network: NetworkConfiguration, _ phase: NetworkPhase) -> [String] {
        var notes: [String] = []
        let count = network.conditions.phases.count
        if count > 1 {
            notes.append("phases: only \"\(phase.name)\" of \(count) is carried; see --phase")
        }
        if !phase.interruptions.isEmpty {
            notes.append("dead zones: not carried; switch the link off by hand")
        }
        if phase.handover != nil { notes.append("handover: not carried; no address changes") }
        if phase.nameLookup > .zero {
            notes.append(
                "dns \(phase.nameLookup.compactText): not carried; lookups are as they are"
            )
        }
        notes.append("radio and metering: not carried; the tool knows packets only")
        return notes
    }
}

extension NetworkConfiguration {
    /// The phase of this name, or the first; nil if there is none of the name.
    package func phase(named name: String?) -> NetworkPhase? {
        guard let name else { return conditions.phases.first }
        return conditions.phases.first { $0.name == name }
    }
}
