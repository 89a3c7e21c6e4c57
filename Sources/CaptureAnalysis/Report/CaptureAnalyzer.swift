import PacketCapture
import PhoneModel
import Quantities
import Trace

/// Says what a real capture costs on a given radio.
package struct CaptureAnalyzer: Sendable {
    /// The radio for interfaces that name none.
    package let radio: RadioModel
    /// Finds the radio that a capture of this project names for an interface.
    package let namedRadio: @Sendable (String) -> RadioModel?

    /// What precedes a radio's name in the description of an interface.
    package static let radioMark = "onebar radio "

    /// Makes an analyzer; without `namedRadio`, every interface has the one radio.
    package init(
        radio: RadioModel,
        namedRadio: @escaping @Sendable (String) -> RadioModel? = { _ in nil }
    ) {
        self.radio = radio
        self.namedRadio = namedRadio
    }

    /// Reads and judges a capture; throws if it is none, or the mode does not know the radio.
    ///
    /// Cost: two passes over the file, two over the packets, and a bounded number for the advice.
    package func analyze(
        path: String,
        options: CaptureOptions
    ) throws(CaptureError) -> CaptureReport {
        let input = try CaptureInput.read(path: path, options: options)
        return try analyze(input, path: path, options: options)
    }

    /// Judges a capture that has been read.
    package func analyze(
        _ input: CaptureInput,
        path: String,
        options: CaptureOptions
    ) throws(CaptureError) -> CaptureReport {
        let groups: [Group]
        do throws(PacketFileError) {
            groups = try assign(input, options.mode)
        } catch {
            throw error.asCaptureError(path)
        }
        for group in groups { try check(options.mode, group.radio, path) }
        var report = CaptureReport(
            path: path,
            mode: options.mode,
            radios: groups.map(\.radio),
            length: .nanoseconds(input.traffic.length),
            packets: input.traffic.packets.count,
            upBytes: 0,
            downBytes: 0,
            deviceAddresses: input.deviceAddresses.map(\.description),
            apps: input.apps,
            app: options.app,
            notes: input.notes,
            states: [],
            promotions: 0,
            cutTailJoules: 0,
            bursts: [],
            hosts: [],
            periods: [],
            findings: [],
            advice: []
        )
        var costs = HostCosts(input)
        for group in groups { add(group, input, options.mode, to: &report, &costs) }
        report.hosts = costs.hosts
        report.upBytes = costs.upBytes
        report.downBytes = costs.downBytes
        report.bursts.sort { $0.burst.start < $1.burst.start }
        report.findings =
            FindingRules(
                bursts: report.bursts,
                openConnections: input.openConnections,
                hasConnections: input.openConnections.all > 0
            ).findings
        report.advice.sort { $0.savedJoules > $1.savedJoules }
        report.advice = Array(report.advice.prefix(3))
        report.periods.sort { $0.joules > $1.joules }
        return report
    }

    /// One radio and the packets of its interfaces.
    private struct Group {
        let radio: RadioModel
        /// In order of time.
        let sorted: Traffic
        /// As the mode takes it: EnergyBox in the order of the file.
        let traffic: Traffic
    }

    private func assign(
        _ input: CaptureInput,
        _ mode: AnalysisMode
    ) throws(PacketFileError) -> [Group] {
        let radios = input.interfaces.map { interface -> RadioModel in
            guard interface.description.hasPrefix(Self.radioMark) else { return radio }
            return namedRadio(String(interface.description.dropFirst(Self.radioMark.count)))
                ?? radio
        }
        var distinct: [RadioModel] = []
        for radio in radios where !distinct.contains(where: { $0.name == radio.name }) {
            distinct.append(radio)
        }
        guard distinct.count > 1 else {
            let sorted = mode == .energybox ? try input.traffic.sorted() : input.traffic
            return [
                Group(radio: distinct.first ?? radio, sorted: sorted, traffic: input.traffic)
            ]
        }
        var groups: [Group] = []
        for one in distinct {
            let numbers = Set(radios.indices.filter { radios[$0].name == one.name })
            func isOwn(_ packet: TrafficPacket) -> Bool {
                numbers.contains(min(Int(packet.interface), radios.count - 1))
            }
            let sorted = try input.traffic.sorted(where: isOwn)
            let traffic =
                mode == .energybox
                ? try input.traffic.selected(ordersByTime: false, where: isOwn) : sorted
            groups.append(Group(radio: one, sorted: sorted, traffic: traffic))
        }
        return groups
    }

    private func check(
        _ mode: AnalysisMode,
        _ radio: RadioModel,
        _ path: String
    ) throws(CaptureError) {
        let isEnergyBox: Bool
        switch radio.machine {
        case .bufferedChannel, .powerSave: isEnergyBox = true
        case .chain, .sharedChannel: isEnergyBox = false
        }
        guard mode != .exact, isEnergyBox != (mode == .energybox) else { return }
        throw CaptureError(
            path: path,
            "the mode \(mode.rawValue) does not know the radio \(radio.name)",
            remedy: mode == .energybox
                ? "choose umts-2014-energybox or wifi-2014-energybox"
                : "choose a radio of ARO, such as lte-2012-aro"
        )
    }

    private func add(
        _ group: Group,
        _ input: CaptureInput,
        _ mode: AnalysisMode,
        to report: inout CaptureReport,
        _ costs: inout HostCosts
    ) {
        let exact = StateAnalysis(group.radio)
        var fold = LedgerFold(group.radio, owners: input.owners.count)
        let sorted = group.sorted
        let found = BurstAnalysis.bursts(sorted.packets, promotions: exact.burstPromotions(sorted))
        var energies = BurstEnergies(found, model: group.radio)
        exact.forEachStretch(sorted) { stretch in
            fold.add(stretch)
            energies.add(stretch)
        }
        costs.add(fold)
        report.promotions += fold.promotions
        report.cutTailJoules += exact.cutTail(sorted).inJoules
        report.states +=
            mode == .exact
            ? fold.totals(radio: group.radio.name)
            : toolTotals(StateAnalysis(group.radio, mode: mode).ranges(group.traffic), group.radio)
        let marking = PeriodMarking(
            energies.bursts.map { burst in
                CaptureReport.BurstCost(
                    burst: burst,
                    host: input.owners[Int(sorted.packets[burst.first].owner)].host
                )
            },
            namesHosts: input.namesHosts
        )
        report.bursts += marking.bursts
        report.periods += marking.periods
        report.advice +=
            AdviceSearch(
                model: group.radio,
                traffic: sorted,
                bursts: marking.bursts,
                periods: marking.periods
            ).find(most: 3)
    }

    private func toolTotals(
        _ ranges: [StateRange],
        _ radio: RadioModel
    ) -> [CaptureReport.StateTotal] {
        radio.states.compactMap { state in
            let own = ranges.filter { $0.state == state.name }
            guard !own.isEmpty else { return nil }
            return CaptureReport.StateTotal(
                radio: radio.name,
                state: state.name,
                kind: state.kind,
                count: own.count,
                seconds: own.reduce(0) { $0 + $1.end - $1.start },
                joules: own.reduce(0) { $0 + $1.joules }
            )
        }
    }
}

extension StateAnalysis {
    /// What the radio would still draw above idle after the end: the tail that is cut off.
    func cutTail(_ traffic: Traffic) -> Energy {
        guard let last = traffic.packets.last, last.time <= traffic.length else { return .zero }
        let model = self.model
        var tail = Energy.zero
        let horizon: Int64 = 60_000_000_000
        let engine = RadioEngine(model, edges: .binary)
        // The last packets alone do not tell the state on 3G; what they leave is the same within it.
        for packet in traffic.packets.suffix(64) { engine.take(packet.use) }
        engine.finish(at: RadioTime(nanoseconds: traffic.length + horizon))
        for stretch in engine.takeClosed() where stretch.state != 0 {
            let end = stretch.end.nanoseconds
            guard end > traffic.length else { continue }
            let draw = model.states[stretch.state].draw
            let start = stretch.start.nanoseconds
            let cut = max(0, traffic.length - start)
            tail += draw.energy(first: end - start) - draw.energy(first: cut)
        }
        return tail
    }
}
