import CVirtualTime

/// The calling thread as a report names it.
func currentThreadName() -> String {
    let name = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16) { buffer in
        onebar_thread_name(buffer.baseAddress)
        return buffer.baseAddress.map { String(cString: $0) } ?? ""
    }
    return name.isEmpty ? "another thread" : "thread '\(name)'"
}
