/// What became of one declared fault in one seed.
package struct FaultAccount: Codable, Sendable, Equatable {
    /// Its place in the profile, counted from zero.
    package var index: Int
    /// Its name, such as "process.kill after upload.chunk.acknowledged".
    package var name: String
    /// How often it fired.
    package var fired: Int
    /// How often it came due with nothing to harm.
    package var absorbed: Int
    /// Why it was left out of this run, if it was.
    package var skipped: String?
    /// What the first firing, or else the first absorption, said of itself; empty if nothing.
    package var detail: String

    /// Makes an account.
    package init(
        index: Int,
        name: String,
        fired: Int = 0,
        absorbed: Int = 0,
        skipped: String? = nil,
        detail: String = ""
    ) {
        self.index = index
        self.name = name
        self.fired = fired
        self.absorbed = absorbed
        self.skipped = skipped
        self.detail = detail
    }
}
