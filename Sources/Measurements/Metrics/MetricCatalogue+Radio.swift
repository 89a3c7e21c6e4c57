extension MetricCatalogue {
    /// Time, promotions and energy of the radio.
    static let radio: [MetricDefinition] = [
        MetricDefinition(
            "radio.on_s",
            .seconds,
            "Time in which a radio was not idle.",
            computed: "Sum of the lengths of promotion, active and tail intervals of all radios.",
            by: "radio model"
        ),
        MetricDefinition(
            "radio.active_s",
            .seconds,
            "Time in which a radio carried data.",
            computed: "Sum of the lengths of active intervals of all radios.",
            by: "radio model"
        ),
        MetricDefinition(
            "radio.tail_s",
            .seconds,
            "Time in which a radio waited for more before it slept.",
            computed: "Sum of the lengths of tail intervals of all radios.",
            by: "radio model"
        ),
        MetricDefinition(
            "radio.promotions",
            .count,
            "How often a radio left a lower state for one that sends.",
            computed: "Promotion intervals, and steps from idle to a sending state without one.",
            by: "radio model"
        ),
        MetricDefinition(
            "radio.energy_j",
            .joules,
            "Energy of the radios beyond what they draw while idle.",
            computed:
                "Sum of the energy of promotion, active and tail intervals; idle is left out.",
            by: "radio model"
        ),
        MetricDefinition(
            "radio.tail_energy_j",
            .joules,
            "Energy drawn while waiting for more before sleep.",
            computed: "Sum of the energy of tail intervals of all radios.",
            by: "radio model"
        ),
        MetricDefinition(
            "radio.marginal_energy_j",
            .joules,
            "Energy that the radios would not have drawn "
                + "without the app.",
            computed: "Energy of the radios, idle too, less that of the same seed without the app "
                + "but with the same other apps.",
            by: "radio model, twice"
        ),
    ]

    /// The whole phone's energy, the battery's share of it, and wake-ups.
    static let energy: [MetricDefinition] = [
        MetricDefinition(
            "energy.total_j",
            .joules,
            "Energy that the simulated parts of the phone drew.",
            computed: "All radio intervals, idle too, and all that processor, flash, screen and "
                + "base drew.",
            by: "radio model, device model"
        ),
        MetricDefinition(
            "battery.app_share_pct",
            .percent,
            "The part of a full battery that the app used.",
            computed: "Energy of all owners but the system and other apps, over the battery's "
                + "capacity; in a fleet, of the mean phone.",
            by: "radio model, device model, battery"
        ),
        MetricDefinition(
            "battery.app_share_pct_per_day",
            .percent,
            "The part of a full battery that the app uses in 24 hours.",
            computed:
                "battery.app_share_pct x 24 h / length of the run; runs of 24 h or more only.",
            by: "radio model, device model, battery"
        ),
        MetricDefinition(
            "device.wakeups",
            .count,
            "How often the sleeping phone was woken, not by its user.",
            computed: "Wake-ups by timer, network, push or job; in a fleet, of the mean phone.",
            by: "device model"
        ),
        MetricDefinition(
            "device.wakeups_per_day",
            .count,
            "Wake-ups in 24 hours, not by the user.",
            computed: "device.wakeups x 24 h / length of the run; runs of 24 h or more only.",
            by: "device model"
        ),
    ]
}
