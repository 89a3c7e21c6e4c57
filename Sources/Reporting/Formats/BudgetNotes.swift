import Budgets

/// What there is to know about the budgets of a run, each thing once.
enum BudgetNotes {
    /// The notes in the order of the budgets; those of untouched ones are in the verdict already.
    static func all(of run: ProfileRun) -> [String] {
        var notes: [String] = []
        for verdict in run.budgets where verdict.value != nil {
            for note in verdict.note.split(separator: ";").map({ $0.drop { $0 == " " } })
            where !notes.contains(String(note)) {
                notes.append(String(note))
            }
        }
        return notes
    }
}
