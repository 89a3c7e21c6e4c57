import Lab
import Measurements
import Profiles
import ServerModel
import Testing

/// A mistake that a public report tells of, rebuilt small, and what the lab says of it.
struct Exhibit: Sendable, CustomTestStringConvertible {
    /// The number in the catalogue, such as "U1".
    let id: String
    /// The repository and number of the report.
    let report: String
    /// What people saw, in our own words.
    let symptom: String
    /// What the client does wrong.
    let mistake: String
    /// What breaks: a guarantee's name, or a metric whose budget it is.
    let breaks: String
    /// Words of the verdict.
    let says: String
    /// The client that has it.
    let client: AppFactory
    /// The same client without the mistake; nil where its whole manner is the mistake.
    let control: AppFactory?
    /// How it is shown.
    let showing: Showing
    /// What becomes of the plan's faults in a client that is right: struck all the same, or with nothing to harm.
    var fateInTheRight = FaultFate.fired

    /// How an exhibit is shown.
    enum Showing: Sendable {
        /// Found by hunting from a generic profile, without a hint of where to look.
        case hunt
        /// Shown by a profile that stands beside the tests, or by a shipped one.
        case profile(String)
        /// Shown by a profile with a setting of the shipped client that is the mistake.
        case setting(String, in: String)
    }

    /// Makes an exhibit around the outbox and the uploader of the twins that breaks a guarantee.
    init(
        _ id: String,
        _ report: String,
        _ symptom: String,
        mistake: String,
        _ defect: TwinDefects,
        breaks guarantee: GuaranteeName,
        says: String,
        showing: Showing = .hunt,
        hasControl: Bool = true,
        fateInTheRight: FaultFate = .fired
    ) {
        self.init(
            id,
            report,
            symptom,
            mistake: mistake,
            defect,
            breaks: guarantee.text,
            says: says,
            showing: showing,
            hasControl: hasControl,
            fateInTheRight: fateInTheRight
        )
    }

    /// Makes an exhibit around the outbox and the uploader of the twins; `breaks` is a metric over budget.
    init(
        _ id: String,
        _ report: String,
        _ symptom: String,
        mistake: String,
        _ defect: TwinDefects,
        breaks: String,
        says: String,
        showing: Showing,
        hasControl: Bool = true,
        fateInTheRight: FaultFate = .fired
    ) {
        self.init(
            id,
            report,
            symptom,
            mistake: mistake,
            client: LabRuns.twins(defect),
            control: defect.isEmpty || !hasControl ? nil : LabRuns.twins([]),
            breaks: breaks,
            says: says,
            showing: showing
        )
        self.fateInTheRight = fateInTheRight
    }

    /// Makes an exhibit around a client of its own.
    init(
        _ id: String,
        _ report: String,
        _ symptom: String,
        mistake: String,
        client: @escaping AppFactory,
        control: AppFactory?,
        breaks: String,
        says: String,
        showing: Showing
    ) {
        self.id = id
        self.report = report
        self.symptom = symptom
        self.mistake = mistake
        self.breaks = breaks
        self.says = says
        self.client = client
        self.control = control
        self.showing = showing
    }

    var testDescription: String { "\(id), \(report)" }

    /// The exhibit's line in the table of README.md.
    var tableLine: String {
        let shown =
            switch showing {
            case .hunt: "hunt"
            case .profile(let name): "`\(name)`"
            case .setting(let change, let name): "`\(name)`, `\(change)`"
            }
        return "| \(id) | \(report) | \(symptom) | \(mistake) | `\(breaks)`: \(says) | \(shown) |"
    }
}
