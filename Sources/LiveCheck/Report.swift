import ClientModules

/// The lines that the script reads.
enum Report {
    /// One line for an event.
    static func line(of event: UploadEvent) -> String {
        switch event {
        case .created: "created"
        case .progress(_, let committed, let total): "progress \(committed) \(total)"
        case .restarted: "restarted"
        case .finished: "finished"
        case .failed(_, let failure): "failed \(failure)"
        case .willRetry(_, let wait, let kind): "retry \(kind.rawValue) after \(wait)"
        case .waitingForPath: "waiting for a path"
        case .storageFailed(let description): "storage \(description)"
        }
    }

    /// How the program ends after an event; nil if it goes on.
    static func exitStatus(of event: UploadEvent) -> Int32? {
        switch event {
        case .finished: 0
        case .failed: 1
        case .created, .progress, .restarted, .willRetry, .waitingForPath, .storageFailed: nil
        }
    }
}
