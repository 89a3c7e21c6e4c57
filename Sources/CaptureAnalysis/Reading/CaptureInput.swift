import Foundation
import PacketCapture
import Quantities
import Trace

/// A capture as the analysis needs it, whatever file it came from.
package struct CaptureInput: Sendable {
    /// Packets in order of time (in the order of the file in the mode of EnergyBox).
    package var traffic: Traffic
    /// Owners by number.
    package var owners: [TrafficOwner]
    /// The device's addresses, given or found; empty for inputs without addresses.
    package var deviceAddresses: [IPAddress]
    /// Apps that the capture names, with their packets, largest first.
    package var apps: [(name: String, packets: Int)]
    /// The interfaces of the capture; empty for inputs without frames.
    package var interfaces: [CapturedInterface] = []
    /// Whether packets are told apart by host; a packet list has no hosts.
    package var namesHosts = true
    /// What a reader should know: truncation, frames without IP, packets left out.
    package var notes: [String]
    /// Most connections that were open at once, to all servers and to one.
    package var openConnections: (all: Int, one: Int)

    /// Reads pcap, pcapng, HAR or a packet list; `-` or a pipe is copied to a temporary file first.
    ///
    /// Two passes over the file. Memory grows with the connections; packets beyond the first 262,144
    /// go to a temporary file, 24 bytes each; where times go back to two, and with several radios to one
    /// more for each. The modes of the published tools load every packet, as those tools do.
    package static func read(
        path: String,
        options: CaptureOptions
    ) throws(CaptureError) -> CaptureInput {
        let spool = try Spool(path: path)
        defer { spool.remove() }
        let file = try CaptureFile(path: spool.path)
        switch file.format {
        case .pcap, .pcapng:
            return try readFrames(file, shownPath: path, options)
        case .json:
            return try HARReader(path: spool.path, shownPath: path).read(options)
        case .packetList:
            return try readList(spool.path, shownPath: path)
        }
    }

    private static func readList(
        _ path: String,
        shownPath: String
    ) throws(CaptureError) -> CaptureInput {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CaptureError(
                path: shownPath,
                "the file cannot be read",
                remedy: "check its rights",
                kind: .missing
            )
        }
        do throws(PacketListReader.Problem) {
            let traffic = try PacketListReader.read(String(decoding: data, as: UTF8.self))
            guard !traffic.packets.isEmpty else {
                throw PacketListReader.Problem(line: 1, what: "the list has no packet")
            }
            return CaptureInput(
                traffic: traffic,
                owners: [TrafficOwner(host: "(packet list)")],
                deviceAddresses: [],
                apps: [],
                namesHosts: false,
                notes: [],
                openConnections: (0, 0)
            )
        } catch {
            throw CaptureError(
                path: "\(shownPath):\(error.line)",
                error.what,
                remedy: "write \(PacketListReader.header)"
            )
        }
    }

    private static func readFrames(
        _ file: CaptureFile,
        shownPath: String,
        _ options: CaptureOptions
    ) throws(CaptureError) -> CaptureInput {
        let size = Double(max(file.size, 1))
        let survey = CaptureSurvey { options.progress(Double($0) / size / 2) }
        let ending = try file.read(survey)
        guard survey.packets > 0, let first = survey.first, let last = survey.last else {
            throw CaptureError(
                path: shownPath,
                emptiness(ending, survey),
                remedy: "capture where IP packets pass, unencrypted by the link"
            )
        }
        if let app = options.app, survey.apps[app] == nil {
            let known = survey.apps.keys.sorted().prefix(5).joined(separator: ", ")
            throw CaptureError(
                path: shownPath,
                "no packet belongs to the app \"\(app)\"",
                remedy: known.isEmpty
                    ? "this capture names no apps; PKTAP and PCAPdroid's trailer do"
                    : "it names \(known)"
            )
        }
        let devices =
            options.deviceAddresses.isEmpty ? survey.deviceAddresses : options.deviceAddresses
        let isEnergyBox = options.mode == .energybox
        let start = min(survey.spanStart ?? first, first)
        let loader = TrafficLoader(
            survey: survey,
            devices: devices,
            app: options.app,
            countsFrames: isEnergyBox,
            start: isEnergyBox ? nil : start,
            packetsInMemory: options.packetsInMemory,
            progress: { options.progress(0.5 + Double($0) / size / 2) }
        )
        _ = try file.read(loader)
        let end = max(survey.spanEnd ?? last, last)
        let packets: TrafficPackets
        do throws(PacketFileError) {
            packets = try loader.takePackets()
        } catch {
            throw error.asCaptureError(shownPath)
        }
        let traffic = Traffic(packets, length: end &- start)
        options.progress(1)
        let apps = survey.apps.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return CaptureInput(
            traffic: traffic,
            owners: loader.owners.owners,
            deviceAddresses: devices,
            apps: apps.map { (name: $0.key, packets: $0.value) },
            interfaces: survey.interfaces,
            notes: notes(ending, survey, loader),
            openConnections: (loader.connections.most, loader.connections.mostToOne)
        )
    }

    private static func emptiness(
        _ ending: CaptureFile.Ending,
        _ survey: CaptureSurvey
    ) -> String {
        if let truncation = ending.truncation, ending.frames == 0 {
            return "\(truncation) before the first packet"
        }
        guard ending.frames > 0 else { return "the capture holds no packet" }
        let types = survey.linkTypes.keys.sorted().map(String.init).joined(separator: ", ")
        return "none of \(ending.frames) frames carries IP (link type \(types))"
    }

    private static func notes(
        _ ending: CaptureFile.Ending,
        _ survey: CaptureSurvey,
        _ loader: TrafficLoader
    ) -> [String] {
        var notes: [String] = []
        if let truncation = ending.truncation {
            notes.append("\(truncation): read up to there (\(ending.frames) frames)")
        }
        if survey.undecoded > 0 {
            notes.append("\(survey.undecoded) frames carry no IP and are left out")
        }
        if survey.goesBack {
            notes.append("time stamps go back: packets are taken in order of time")
        }
        if loader.leftOut > 0 {
            notes.append("\(loader.leftOut) packets of other apps are left out")
        }
        return notes
    }
}
