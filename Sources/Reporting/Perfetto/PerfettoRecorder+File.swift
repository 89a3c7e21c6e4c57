import Quantities
import Trace

extension PerfettoRecorder {
    /// The trace as Perfetto opens it; the same run gives the same bytes.
    ///
    /// Ask after `finish(at:)`.
    package func trace() -> [UInt8] {
        var trace = PerfettoTrace()
        let phone = trace.addProcess("\(title): phone", number: 1)
        trace.addSideBySide(
            actionOrder.compactMap { actions[$0]?.slice },
            named: "person",
            below: phone
        )
        trace.addNested(launches + states, on: trace.addTrack("app", below: phone))
        add(log, to: &trace, "log", phone)
        var owners: [String] = []
        for number in requestOrder {
            let owner = requests[number]?.owner ?? ""
            if !owners.contains(owner) { owners.append(owner) }
        }
        for owner in owners {
            trace.addSideBySide(
                requestOrder.compactMap { requests[$0] }.filter { $0.owner == owner }.map(\.slice),
                named: "module \(owner)",
                below: phone
            )
        }
        trace.addNested(path, on: trace.addTrack("network path", below: phone))
        trace.addSideBySide(connections, named: "network connection", below: phone)
        for radio in radioOrder { add(radios[radio] ?? [], of: radio, to: &trace, phone) }
        add(disk, to: &trace, "disk", phone)
        trace.addSideBySide(faults, named: "fault", below: phone)
        for counter in counters where !counter.points.isEmpty {
            let track = trace.addCounter(counter.name, unit: counter.unit, below: phone)
            for (instant, value) in counter.points {
                trace.add(
                    PerfettoTrace.Event(
                        kind: .counter,
                        track: track,
                        instant: instant,
                        value: value
                    )
                )
            }
        }
        add(server, to: &trace, "server", trace.addProcess("\(title): server", number: 2))
        return trace.bytes()
    }

    private func add(
        _ marks: [Mark],
        to trace: inout PerfettoTrace,
        _ name: String,
        _ parent: PerfettoTrace.Track
    ) {
        let track = trace.addTrack(name, below: parent)
        for mark in marks {
            trace.add(
                PerfettoTrace.Event(
                    kind: .instant,
                    track: track,
                    instant: mark.instant,
                    name: mark.name,
                    category: mark.category,
                    endingFlows: mark.endingFlows
                )
            )
        }
    }

    /// The states of a radio, and the power that they drew.
    private func add(
        _ intervals: [RadioInterval],
        of radio: String,
        to trace: inout PerfettoTrace,
        _ phone: PerfettoTrace.Track
    ) {
        let states = trace.addTrack("radio \(radio)", below: phone)
        let power = trace.addCounter("radio \(radio) power", unit: "mW", below: phone)
        trace.addNested(
            intervals.filter { $0.end > $0.start }.map { interval in
                PerfettoSlice(
                    start: interval.start,
                    end: interval.end,
                    name: interval.state,
                    category: "radio \(interval.kind.rawValue)",
                    details: interval.shares.map { ($0.owner, "\($0.energy)") }
                )
            },
            on: states
        )
        for interval in intervals where interval.end > interval.start {
            let span = (interval.end - interval.start).wholeNanoseconds
            trace.add(
                PerfettoTrace.Event(
                    kind: .counter,
                    track: power,
                    instant: interval.start,
                    value: interval.energy.milliwatts(over: span)
                )
            )
        }
    }
}

extension Energy {
    /// The mean power over so many nanoseconds, in whole milliwatts.
    fileprivate func milliwatts(over span: Int64) -> Int64 {
        let (high, low) = nanojoules.multipliedFullWidth(by: 1_000)
        return span > 0 ? span.dividingFullWidth((high, low)).quotient : 0
    }
}
