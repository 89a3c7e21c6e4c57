import Measurements

/// Finds what a misspelt name was probably meant to be.
package enum NearestName {
    /// The candidate that takes the fewest edits, if that is few enough to be a slip.
    ///
    /// Edits are insertions, deletions, substitutions and swaps of neighbours (Damerau, restricted);
    /// letter case costs nothing. Up to one edit for every three letters, at least one, is a slip
    /// (assumption: what people are helped by). Ties go to the first candidate.
    package static func of(_ name: String, among candidates: some Sequence<String>) -> String? {
        let wanted = name.lowercased()
        var best: (name: String, edits: Int)?
        for candidate in candidates {
            let edits = EditDistance.between(wanted, candidate.lowercased())
            if edits < best?.edits ?? .max { best = (candidate, edits) }
        }
        guard let best, best.edits <= max(1, max(wanted.count, best.name.count) / 3) else {
            return nil
        }
        return best.name
    }

    /// A remedy for an unknown name: the nearest one, or all of them.
    package static func remedy(for name: String, among candidates: [String]) -> String {
        if let nearest = of(name, among: candidates) { return "did you mean \"\(nearest)\"?" }
        return "one of: \(candidates.joined(separator: ", "))"
    }
}
