import Profiles

/// What a person and other apps do to a file that is to be sent.
///
/// Each may end an upload, and none excuses more than that: what was taken back is not gone on with, and what
/// stands at the server is a file that was chosen.
extension HuntPool {
    /// Each of them at each place that a good run offers, for each upload.
    static func uploads(_ census: RunCensus) -> [FaultEntry] {
        let anchors = [FaultAnchor.requestSent, .responseReceived, .databaseCommit]
        return census.uploads.flatMap { name in
            [
                FaultEffect.cancelUpload(of: name), .changeSource(of: name),
                .removeSource(of: name), .retryUpload(of: name),
            ].flatMap { effect in
                anchors.flatMap { anchor in
                    (0..<(census.anchors[anchor.rawValue] ?? 0)).map {
                        FaultEntry(effect, .after(anchor, nth: $0 + 1))
                    }
                }
            }
        }
    }
}
