extension Museum {
    /// Pictures: what they cost is held by budgets.
    static let images: [Exhibit] = [
        files(
            "G1",
            "kean/Nuke#65",
            "half a picture is kept, and the row stays grey for ever",
            mistake:
                "what came is stored before anybody looked at it, and stays though it shows nothing",
            .damageStays,
            breaks: "screen.rows_without_picture",
            profile: "picture-cut-short"
        ),
        files(
            "G2",
            "pinterest/PINRemoteImage#260",
            "some pictures never come again, whatever is restarted",
            mistake:
                "a file is written under its own name as it comes; what ends on the way leaves a part of it",
            [.writtenAsItComes, .damageStays],
            breaks: "screen.rows_without_picture",
            profile: "killed-while-storing"
        ),
        files(
            "G3",
            "SDWebImage/SDWebImage#3880",
            "a file that a power loss tore goes to the decoder at each look",
            mistake: "what is on disk is believed, and stays though it shows nothing",
            .damageStays,
            breaks: "screen.rows_without_picture",
            profile: "pictures-power-loss"
        ),
        files(
            "G4",
            "SDWebImage/SDWebImage#712",
            "a picture that was missing for a moment is missing for good",
            mistake: "a 404 is remembered for ever",
            .refusedForEver,
            breaks: "screen.rows_without_picture",
            profile: "pictures-refused-a-while"
        ),
        Exhibit(
            "G9",
            "onevcat/Kingfisher#2495",
            "rows that are flung past are fetched and decoded all the same",
            mistake: "whoever cancels is told so at once; the work goes on",
            client: LowMemoryFlingTests.twins(.callbackCancelledNotTransfer),
            control: nil,
            breaks: "image.decoded_total_bytes",
            says: "over budget",
            showing: .profile("low-memory-fling")
        ),
        Exhibit(
            "G10",
            "onevcat/Kingfisher#730",
            "a gallery of large pictures is killed for its memory",
            mistake: "pictures are decoded at the size they come in",
            client: LowMemoryFlingTests.twins(.decodedAtSourceSize),
            control: nil,
            breaks: "screen.bitmap_to_place",
            says: "over budget",
            showing: .profile("low-memory-fling")
        ),
        files(
            "G12",
            "onevcat/Kingfisher#606",
            "a full disk: pictures that came are not shown",
            mistake: "a picture that cannot be stored is an error",
            .storedOrNotShown,
            breaks: "screen.rows_without_picture",
            profile: "pictures-disk-full"
        ),
        files(
            "G15",
            "JakeWharton/DiskLruCache#16",
            "what was cached before a kill is fetched again after it",
            mistake: "what is on disk is known by an index that is written when the app is left",
            .indexWrittenOnLeaving,
            breaks: "image.network_fetches",
            profile: "gallery-killed"
        ),
        files(
            "G17",
            "coil-kt/coil#2667",
            "after a kill the cache's size is not that of its files",
            mistake:
                "the cap counts what the index knows, and files that it has lost are never removed",
            .indexWrittenOnLeaving,
            breaks: "storage.peak_bytes",
            profile: "gallery-of-little-room"
        ),
        files(
            "G19",
            "bumptech/glide#3853",
            "rows on the screen wait for rows that nobody has come to yet",
            mistake: "what is prefetched and what somebody looks at stand in one line",
            .oneLine,
            breaks: "image.visible_wait_ms",
            profile: "prefetched-ahead"
        ),
    ]

    /// An exhibit around the cache that keeps files; the same cache without the mistake is its control.
    private static func files(
        _ id: String,
        _ report: String,
        _ symptom: String,
        mistake: String,
        _ defects: ImageDefects,
        breaks metric: String,
        profile: String
    ) -> Exhibit {
        Exhibit(
            id,
            report,
            symptom,
            mistake: mistake,
            client: LowMemoryFlingTests.twins(defects.union(.keepsFiles)),
            control: LowMemoryFlingTests.twins(.keepsFiles),
            breaks: metric,
            says: "over budget",
            showing: .profile(profile)
        )
    }
}
