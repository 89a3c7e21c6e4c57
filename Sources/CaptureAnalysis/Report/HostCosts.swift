import Quantities
import Trace

/// Brings the owners' energies together by host and by path.
struct HostCosts {
    private let owners: [TrafficOwner]
    private var energies: [Energy]
    private var tails: [Energy]
    private var packets: [Int]
    private var up: [Int64]
    private var down: [Int64]

    init(_ input: CaptureInput) {
        owners = input.owners
        energies = Array(repeating: .zero, count: owners.count)
        tails = energies
        packets = Array(repeating: 0, count: owners.count)
        up = Array(repeating: 0, count: owners.count)
        down = up
        for packet in input.traffic.packets {
            let owner = Int(packet.owner)
            packets[owner] += 1
            if packet.direction == .up {
                up[owner] += Int64(packet.size)
            } else {
                down[owner] += Int64(packet.size)
            }
        }
    }

    var upBytes: Int64 { up.reduce(0, +) }
    var downBytes: Int64 { down.reduce(0, +) }

    mutating func add(_ fold: LedgerFold) {
        for index in owners.indices {
            energies[index] += fold.owners[index]
            tails[index] += fold.tails[index]
        }
    }

    /// Most expensive first; equals by name.
    var hosts: [HostCost] {
        var numbers: [String: [Int]] = [:]
        for (number, owner) in owners.enumerated() {
            numbers[owner.host, default: []].append(number)
        }
        let hosts = numbers.map { host, own in
            HostCost(
                host: host,
                joules: sum(own, energies).inJoules,
                tailJoules: sum(own, tails).inJoules,
                packets: own.reduce(0) { $0 + packets[$1] },
                upBytes: own.reduce(0) { $0 + up[$1] },
                downBytes: own.reduce(0) { $0 + down[$1] },
                paths: paths(own)
            )
        }
        return hosts.filter { $0.packets > 0 }.sorted {
            ($1.joules, $0.host) < ($0.joules, $1.host)
        }
    }

    private func paths(_ own: [Int]) -> [HostCost.PathCost] {
        var numbers: [String: [Int]] = [:]
        for number in own where !owners[number].path.isEmpty {
            numbers[owners[number].path, default: []].append(number)
        }
        return numbers.map { path, own in
            HostCost.PathCost(
                path: path,
                joules: sum(own, energies).inJoules,
                tailJoules: sum(own, tails).inJoules,
                packets: own.reduce(0) { $0 + packets[$1] }
            )
        }.sorted { ($1.joules, $0.path) < ($0.joules, $1.path) }
    }

    private func sum(_ numbers: [Int], _ table: [Energy]) -> Energy {
        numbers.reduce(.zero) { $0 + table[$1] }
    }
}
