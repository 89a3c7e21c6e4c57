import NetworkModel
import Quantities

/// Reads `tc qdisc … netem …` and `tc qdisc … tbf …` commands: what leaves by a device is upload,
/// what leaves by an `ifb` device is download.
///
/// Units and defaults are those of tc(8) and tc-netem(8): a bare rate is in bit/s, `bps` are bytes,
/// a bare time is in microseconds, percentages need no sign.
package struct NetemReader {
    /// Wire bytes of a full packet.
    static let packetSize: Int64 = 1_500

    private var network: ImportedNetwork
    private var jitterSeen: [Bool: Duration] = [:]
    private var limits: [Bool: Int] = [:]
    private var found = false

    /// Reads a script; comments and commands other than tc's are passed over.
    package static func read(
        _ text: String,
        title: String
    ) throws(ExchangeError) -> ImportedNetwork {
        var reader = NetemReader(title: title)
        var number = 0
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            number += 1
            try reader.read(line, number)
        }
        guard reader.found else {
            throw ExchangeError(
                "there is no tc command with netem or tbf",
                remedy: "write one: tc qdisc add dev eth0 root netem delay 100ms"
            )
        }
        reader.finish()
        return reader.network
    }

    private init(title: String) {
        network = ImportedNetwork(title: title, source: "tc commands (Linux netem)")
    }

    private mutating func read(_ line: Substring, _ number: Int) throws(ExchangeError) {
        let code = line.prefix { $0 != "#" }
        var words = code.split(whereSeparator: { " \t;".contains($0) }).map { word in
            String(word.filter { $0 != "\"" && $0 != "'" })
        }
        guard let start = words.firstIndex(of: "tc") else { return }
        words.removeFirst(start + 1)
        guard words.first == "qdisc" else { return }
        guard let kind = words.firstIndex(where: { $0 == "netem" || $0 == "tbf" }) else { return }
        let device = words.firstIndex(of: "dev").flatMap { index in
            index + 1 < words.count ? words[index + 1] : nil
        }
        let isDown = device?.hasPrefix("ifb") ?? false
        found = true
        var rest = Arguments(words: words[(kind + 1)...], line: number)
        if words[kind] == "netem" {
            try readNetem(&rest, isDown)
        } else {
            try readBucket(&rest, isDown)
        }
    }

    private mutating func change(
        _ isDown: Bool,
        _ body: (inout ImportedNetwork.Direction) -> Void
    ) {
        if isDown { body(&network.down) } else { body(&network.up) }
    }

    // MARK: netem

    private mutating func readNetem(
        _ rest: inout Arguments,
        _ isDown: Bool
    ) throws(ExchangeError) {
        while let word = rest.next() {
            switch word {
            case "limit": limits[isDown] = try rest.count(word)
            case "delay", "latency": try readDelay(&rest, isDown)
            case "loss", "drop": try readLoss(&rest, isDown)
            case "rate":
                let rate = try rest.rate(word)
                rest.skipNumbers()
                change(isDown) { $0.rate = .constant(rate) }
            case "reorder", "duplicate", "corrupt", "slot", "seed":
                rest.skipNumbers()
                network.notes.append("\(word): not carried; the model has no such thing")
            case "gap":
                rest.skipNumbers()
            case "ecn":
                network.notes.append("ecn: not carried; packets are dropped, not marked")
            default:
                throw ExchangeError(
                    line: rest.line,
                    "netem has no option '\(word)'",
                    remedy: "one of: limit, delay, loss, rate, reorder, duplicate, corrupt"
                )
            }
        }
    }

    private mutating func readDelay(
        _ rest: inout Arguments,
        _ isDown: Bool
    ) throws(ExchangeError) {
        var delay = try rest.time("delay")
        if rest.isNumber {
            var jitter = try rest.time("jitter")
            if rest.isNumber {
                rest.skipNumbers()
                network.notes.append("the correlation of delays: not carried; each is drawn alone")
            }
            if jitter > delay {
                network.notes.append(
                    "jitter \(jitter.compactText) over a delay of \(delay.compactText): cut to it"
                )
                jitter = delay
            }
            // netem draws from delay - jitter to delay + jitter.
            delay -= jitter
            jitterSeen[isDown] = jitter * 2
        }
        if rest.take("distribution") {
            let shape = rest.next() ?? ""
            if shape != "uniform" {
                network.notes.append("distribution \(shape): not carried; jitter is uniform")
            }
        }
        if isDown { network.oneWay.down = delay } else { network.oneWay.up = delay }
    }

    private mutating func readLoss(_ rest: inout Arguments, _ isDown: Bool) throws(ExchangeError) {
        if rest.take("gemodel") {
            let toBad = try rest.percent("p")
            // tc-netem(8): r is 1 - p, 1-h is 100 %, 1-k is 0 unless given.
            let rest1 = Probability(toBad.denominator - toBad.numerator, of: toBad.denominator)
            let toGood = rest.isNumber ? try rest.percent("r") : rest1
            let inBad = rest.isNumber ? try rest.percent("1-h") : .always
            let inGood = rest.isNumber ? try rest.percent("1-k") : .never
            return change(isDown) {
                $0.loss = .gilbertElliottByPacket(
                    toBad: toBad,
                    toGood: toGood,
                    lossInBad: inBad,
                    lossInGood: inGood
                )
            }
        }
        if rest.take("state") {
            let chance = try rest.percent("p13")
            if rest.isNumber {
                rest.skipNumbers()
                network.notes.append("the 4-state loss model: not carried but for p13, its first")
            }
            return change(isDown) { $0.loss = .bernoulli(chance) }
        }
        _ = rest.take("random")
        let chance = try rest.percent("loss")
        if rest.isNumber {
            rest.skipNumbers()
            network.notes.append("the correlation of losses: not carried; each is drawn alone")
        }
        change(isDown) { $0.loss = chance == .never ? .none : .bernoulli(chance) }
    }

    // MARK: tbf

    private mutating func readBucket(
        _ rest: inout Arguments,
        _ isDown: Bool
    ) throws(ExchangeError) {
        while let word = rest.next() {
            switch word {
            case "rate":
                let rate = try rest.rate(word)
                change(isDown) { $0.rate = .constant(rate) }
            case "limit":
                let packets = max(1, try rest.count(word) / Int(Self.packetSize))
                change(isDown) { $0.queue = packets }
            case "burst", "buffer", "maxburst", "latency", "mtu", "minburst", "peakrate", "mpu",
                "overhead", "linklayer":
                _ = rest.next()
                network.notes.append("tbf \(word): not carried; the link has no bucket")
            default:
                throw ExchangeError(
                    line: rest.line,
                    "tbf has no option '\(word)'",
                    remedy: "one of: rate, limit, burst, latency, mtu, peakrate"
                )
            }
        }
    }

    // MARK: The whole

    private mutating func finish() {
        let jitters = (down: jitterSeen[true] ?? .zero, up: jitterSeen[false] ?? .zero)
        network.jitter = max(jitters.down, jitters.up)
        if jitters.down != jitters.up {
            network.notes.append(
                "jitter differs by direction; both get \(network.jitter.compactText)"
            )
        }
        for isDown in [true, false] {
            let delay = isDown ? network.oneWay.down : network.oneWay.up
            let rate = isDown ? network.down.rate : network.up.rate
            // netem's limit counts what is on its way as well; 1,000 if nothing is said.
            if let limit = limits[isDown] {
                let flying = NetemWriter.packetsOnTheWay(rate, delay + network.jitter)
                change(isDown) { $0.queue = max(1, limit - flying - 1) }
            }
        }
        // With a rate netem keeps order: it measures the delay from the packet before.
        let paced = [network.down, network.up].contains { $0.rate != .constant(.unlimited) }
        network.reorders = network.jitter > .zero && !paced
        if network.down == ImportedNetwork.Direction(), network.oneWay.down == .zero {
            network.notes.append("no command for an ifb device: download has no limits")
        }
    }
}
