import Profiles
import Quantities
import Trace

/// One thing that the person will do: when, and what exactly.
///
/// Follows from profile and seed alone.
struct PlannedAction: Sendable {
    /// When the person does it, if the app is there.
    let due: SimulationInstant
    /// What it is known by in the trace.
    let action: UserAction
    /// What the app is asked.
    let request: Request
    /// Whether the test says that nothing was done when it throws.
    var isUndoneIfThrown = false

    enum Request: Sendable {
        case perform(AppAction)
        /// The file is on the phone, as from the camera, before the app is asked to upload it.
        case upload(path: String, content: SyntheticContent)
        /// The radio is in use for so long, without packets; no cause where the phone is awake anyway.
        case radio(lasts: Duration, cause: WakeCause?, owner: String)
        /// A list moves; the entry's number tells one list from another.
        case scroll(ScrollAction, list: Int)
        /// The main thread is busy for so long.
        case blockMain(Duration)
        /// The person turns to another app.
        case leave(LeaveAction)
        /// The person takes the phone out, uses the app, and puts it away.
        case use(Duration)
        /// A push comes, and the app asks the server what it is about.
        case push(PushArrival)
        /// The phone is carried about.
        case carry(Duration)
        /// The phone is plugged in.
        case charge(Duration)
    }
}
