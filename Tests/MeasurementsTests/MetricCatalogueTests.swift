import Measurements
import Testing

/// The catalogue holds every name that the design promises, and explains it.
@Suite struct MetricCatalogueTests {
    // The last lines came after the design: screens, systems, fleets and event streams.
    static let designed = """
        radio.on_s radio.active_s radio.tail_s radio.promotions radio.energy_j radio.tail_energy_j
        radio.marginal_energy_j energy.total_j battery.app_share_pct device.wakeups
        battery.app_share_pct_per_day device.wakeups_per_day
        network.up_bytes network.down_bytes network.retransmitted_bytes network.discarded_bytes
        network.metered_bytes network.requests network.handshakes network.connections
        process.cold_starts process.os_kills process.injected_kills process.memory_kills
        memory.accounted_peak_bytes storage.peak_bytes storage.written_bytes storage.syncs
        storage.commits
        outbox.enqueued outbox.acknowledged outbox.lost outbox.duplicated outbox.reordered
        outbox.dead_lettered outbox.drain_s outbox.oldest_age_s outbox.promise_to_ack_s
        upload.finished upload.failed upload.duration_s upload.sent_bytes upload.overhead_pct
        upload.sessions upload.progress_regressions upload.corrupt
        retry.attempts retry.amplification server.requests server.peak_requests user.wait_s
        image.requests image.network_fetches image.memory_hit_pct image.disk_hit_pct
        image.decoded_total_bytes image.bitmap_peak_bytes image.visible_wait_ms frames.dropped
        frames.hitch_ms_per_s
        screen.placeholder_ms screen.bitmap_to_place screen.rows_without_picture screen.decode_s
        app.background_bytes app.cold_start_ms app.warm_start_ms
        background.window_s background.suspended_s
        fleet.unanswered fleet.recovery_requests fleet.phone_energy_j
        push.events push.missed push.repeated push.reconnections push.delay_ms
        """

    @Test func `every designed name is there, and no other`() {
        let designed = Self.designed.split { $0 == " " || $0 == "\n" }.map(String.init)
        #expect(Set(MetricCatalogue.all.map(\.name.text)) == Set(designed))
        #expect(designed.count == MetricCatalogue.all.count)
    }

    @Test func `a name ends in its unit`() {
        for definition in MetricCatalogue.all {
            let suffix = MetricUnit(suffixOf: definition.name.text)
            if suffix != .count {
                #expect(definition.unit == suffix, "\(definition.name)")
            } else {
                let isPlain = [MetricUnit.count, .ratio, .percent].contains(definition.unit)
                #expect(isPlain, "\(definition.name)")
            }
        }
    }

    @Test func `every definition is a sentence or two`() {
        for definition in MetricCatalogue.all {
            for text in [definition.meaning, definition.computation] {
                #expect(text.hasSuffix("."), "\(definition.name): \(text)")
                #expect(text.count > 15, "\(definition.name): \(text)")
            }
            #expect(!definition.module.isEmpty)
        }
    }

    @Test func `only what a guarantee judges cannot have a budget`() {
        let judged = MetricCatalogue.all.filter { $0.guarantee != nil }.map(\.name.text)
        #expect(
            judged == [
                "outbox.lost", "outbox.duplicated", "outbox.reordered",
                "upload.progress_regressions", "upload.corrupt",
            ]
        )
    }

    @Test func `names are ordered as the catalogue has them, a user's own last`() {
        let names = ["z.own", "upload.corrupt", "a.own", "radio.on_s"].map { MetricName($0) }
        #expect(names.sorted().map(\.text) == ["radio.on_s", "upload.corrupt", "a.own", "z.own"])
    }

    @Test func `a team may measure its own app and screen, but not another radio`() {
        for name in ["app.first_frame_ms", "screen.search_ms"] {
            #expect(!MetricCatalogue.subjects.contains(MetricName(name).subject), "\(name)")
        }
        for name in ["radio.own_ms", "fleet.own_ms", "outbox.own_ms"] {
            #expect(MetricCatalogue.subjects.contains(MetricName(name).subject), "\(name)")
        }
    }

    @Test func `a misspelt name is near the right one`() {
        #expect(MetricCatalogue.suggestion(for: "radio.enrgy_j")?.text == "radio.energy_j")
        #expect(MetricCatalogue.suggestion(for: "completely.different") == nil)
    }
}
