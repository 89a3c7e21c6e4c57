import Quantities

/// Many clients against one server: callers with the retry policy of the profile's app, or whole phones.
///
/// A caller has no radio, disk or process that dies: a crowd of them is about what the server feels.
/// A phone has all of it, with the profile's app and workload. They share nothing but the server; each
/// draws from random streams of its own.
package struct FleetConfiguration: Equatable, Sendable {
    /// How many clients there are.
    package var clients: Int
    /// What each calls: method and path, such as "GET /feed"; nil for phones, which have a workload.
    package var route: String?
    /// When a caller makes its first call, or a phone's app is first opened and its workload begins; a
    /// range is drawn for each client.
    package var starts: QuantityRange<Duration>
    /// Calls that each client makes.
    package var calls: Int
    /// From the start of one call to the start of the next, whether or not it has ended.
    package var interval: Duration
    /// Longest that one attempt may take.
    package var attemptTimeout: Duration

    /// The most clients of a run: what a machine of 16 GB holds (assumption).
    package static let mostClients = 1_000_000
    /// The most phones of a run: at 1.6 MB each (measured: 317 MB for 200 phones of `phone-fleet`), half
    /// of what a machine of 16 GB has.
    package static let mostPhones = 5_000

    /// Whether each client is a phone with the profile's app and workload.
    package var isOfPhones: Bool { route == nil }

    /// Makes a fleet.
    package init(
        clients: Int,
        route: String?,
        starts: QuantityRange<Duration> = .init(.zero, .zero),
        calls: Int = 1,
        interval: Duration = .seconds(60),
        attemptTimeout: Duration = .seconds(30)
    ) {
        self.clients = clients
        self.route = route
        self.starts = starts
        self.calls = calls
        self.interval = interval
        self.attemptTimeout = attemptTimeout
    }

    /// When the last call begins at the latest, or the last phone's workload.
    package var latest: Duration { starts.upper + (isOfPhones ? .zero : interval * (calls - 1)) }
}
