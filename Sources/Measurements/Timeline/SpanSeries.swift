import Quantities

/// Spans of one row, joined where alike, and thinned when they become too many.
///
/// When it is full, the grain doubles, and neighbours merge until each is as long as the grain; the
/// kind that took most of the time stays. What is drawn is then true to within one grain.
struct SpanSeries {
    private(set) var spans: [TimelineSpan] = []
    private(set) var grain: Int64 = 0
    private let limit: Int

    init(limit: Int = 720) {
        self.limit = limit
    }

    /// Adds a span that begins where the last one ended or later.
    mutating func append(_ span: TimelineSpan) {
        guard span.end > span.start else { return }
        if let last = spans.last, last.kind == span.kind, last.label == span.label,
            last.value == span.value,
            last.end == span.start
        {
            spans[spans.count - 1].end = span.end
            return
        }
        spans.append(span)
        if spans.count > limit { thin() }
    }

    private mutating func thin() {
        if grain > 0 { merge() }
        while spans.count > limit / 2 {
            grain = grain == 0 ? 50_000_000 : grain * 2
            merge()
        }
    }

    private mutating func merge() {
        var merged: [TimelineSpan] = []
        var group: [TimelineSpan] = []
        var length: Int64 = 0
        for span in spans {
            group.append(span)
            length += span.length.wholeNanoseconds
            guard length >= grain else { continue }
            Self.close(&group, into: &merged)
            length = 0
        }
        Self.close(&group, into: &merged)
        spans = merged
    }

    /// Makes one span of a group, of the kind that took most of its time, and joins it if alike.
    private static func close(_ group: inout [TimelineSpan], into merged: inout [TimelineSpan]) {
        defer { group = [] }
        guard let first = group.first, let last = group.last else { return }
        var times: [(span: TimelineSpan, time: Int64)] = []
        for span in group {
            let time = span.length.wholeNanoseconds
            if let index = times.firstIndex(where: { $0.span.kind == span.kind }) {
                times[index].time += time
            } else {
                times.append((span, time))
            }
        }
        guard var joined = times.max(by: { $0.time < $1.time })?.span else { return }
        joined.start = first.start
        joined.end = last.end
        if let before = merged.last, before.kind == joined.kind, before.label == joined.label,
            before.value == joined.value, before.end == joined.start
        {
            merged[merged.count - 1].end = joined.end
        } else {
            merged.append(joined)
        }
    }
}
