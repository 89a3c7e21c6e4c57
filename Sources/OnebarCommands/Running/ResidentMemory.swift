import Foundation

/// How much memory this process occupies.
enum ResidentMemory {
    /// Resident bytes; zero where the system does not tell in this way.
    static var bytes: Int {
        #if os(Linux)
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
            let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { return 0 }
        return pages * sysconf(Int32(_SC_PAGESIZE))
        #else
        return 0
        #endif
    }
}
