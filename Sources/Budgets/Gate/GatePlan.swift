/// Which seeds a gate looks at, look after look.
///
/// The looks are fixed before the first one, and share the false alarms: whoever stops as soon as a
/// test speaks would be fooled by chance more often than promised (Armitage, McPherson, Rowe:
/// "Repeated significance tests on accumulating data", 1969).
package struct GatePlan: Sendable, Equatable {
    /// The seeds after each look, each list beginning with the one before.
    package let looks: [[UInt64]]

    /// The seeds given, in one look.
    package init(fixed seeds: [UInt64]) {
        looks = [seeds]
    }

    /// The profile's seeds first; then twice as many, and so on, until the baseline's are all in.
    package init(profile: [UInt64], baseline: [UInt64]) {
        let known = Set(baseline)
        let paired = profile.filter { known.contains($0) }
        // Without a common seed there is nothing to grow by.
        guard !paired.isEmpty else {
            looks = [profile]
            return
        }
        let have = Set(profile)
        let more = baseline.filter { !have.contains($0) }
        var looks = [profile]
        while let last = looks.last, last.count < profile.count + more.count {
            let wanted = min(last.count * 2, profile.count + more.count)
            looks.append(profile + more.prefix(wanted - profile.count))
        }
        self.looks = looks
    }
}
