extension Museum {
    /// Pictures: what they cost is held by budgets.
    static let images: [Exhibit] = [
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
    ]
}
