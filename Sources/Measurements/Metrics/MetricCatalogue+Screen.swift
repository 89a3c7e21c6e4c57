extension MetricCatalogue {
    /// Pictures and frames.
    static let screen: [MetricDefinition] = [
        MetricDefinition(
            "image.requests",
            .count,
            "Pictures that the screen asked for and got.",
            computed: "Servings of pictures from any tier.",
            by: "image cache"
        ),
        MetricDefinition(
            "image.network_fetches",
            .count,
            "Pictures that were fetched over the network.",
            computed: "Servings from the network; requests that joined a fetch are not in it.",
            by: "image cache"
        ),
        MetricDefinition(
            "image.memory_hit_pct",
            .percent,
            "Pictures served from memory.",
            computed: "Servings from memory over image.requests.",
            by: "image cache"
        ),
        MetricDefinition(
            "image.disk_hit_pct",
            .percent,
            "Pictures served from disk.",
            computed: "Servings from disk over image.requests.",
            by: "image cache"
        ),
        MetricDefinition(
            "image.decoded_total_bytes",
            .bytes,
            "Bitmap bytes that were decoded.",
            computed: "Sizes of all decoded bitmaps.",
            by: "image cache"
        ),
        MetricDefinition(
            "image.bitmap_peak_bytes",
            .bytes,
            "Most bitmap bytes held at once.",
            computed: "Largest size of held bitmaps that was reported.",
            by: "image cache"
        ),
        MetricDefinition(
            "image.visible_wait_ms",
            .milliseconds,
            "Time that a visible picture was awaited.",
            computed: "One sample for each serving that was on screen: from request to bitmap.",
            by: "image cache",
            isSampled: true
        ),
        MetricDefinition(
            "frames.dropped",
            .count,
            "Frames that missed their deadline.",
            computed: "Sum of the frames that were reported as dropped.",
            by: "device model"
        ),
        MetricDefinition(
            "frames.hitch_ms_per_s",
            .millisecondsPerSecond,
            "How late frames were, for each second on screen.",
            computed: "Sum of the time that frames were late, over the time in the foreground.",
            by: "device model"
        ),
    ]
}
