/// The environment that worker processes are started in.
enum WorkerEnvironment {
    /// What glibc's allocator keeps of freed memory: more than a world takes, an assumption.
    private static let keptBytes = 64 << 20

    /// The command's own environment with what workers need.
    static func make(_ own: [String: String]) -> [String: String] {
        var environment = own
        environment["SWIFT_DETERMINISTIC_HASHING"] = "1"
        // A trap is a finding told in one line; a backtrace would take seconds.
        environment["SWIFT_BACKTRACE"] = "enable=no"
        // A worker frees a world and builds the next one: glibc would give the pages back to the
        // kernel, which clears them again for the next world (mallopt(3); no effect elsewhere).
        environment["MALLOC_TRIM_THRESHOLD_"] = "\(keptBytes)"
        environment["MALLOC_MMAP_THRESHOLD_"] = "\(keptBytes / 2)"
        return environment
    }
}
