import Quantities

/// Spans of one row, joined where alike, and thinned when they become too many.
///
/// When it is full, the grain doubles and spans shorter than it merge into a neighbour; the kind
/// that held longer stays. What is drawn is then true to within one grain.
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
        while spans.count > limit / 2 {
            grain = grain == 0 ? 50_000_000 : grain * 2
            var merged: [TimelineSpan] = []
            for span in spans {
                guard let last = merged.last, Self.length(last) < grain || Self.length(span) < grain
                else {
                    merged.append(span)
                    continue
                }
                if Self.length(span) > Self.length(last) {
                    merged[merged.count - 1].kind = span.kind
                    merged[merged.count - 1].label = span.label
                    merged[merged.count - 1].value = span.value
                }
                merged[merged.count - 1].end = span.end
            }
            spans = merged
        }
    }

    private static func length(_ span: TimelineSpan) -> Int64 {
        (span.end - span.start).wholeNanoseconds
    }
}
