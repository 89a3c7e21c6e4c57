import ClientModules
import Foundation
import Quantities
import Testing

/// F12: 4 MB at 1 Mbit/s while the line drops at random, 30 s apart on average, and comes back at once.
///
/// With R = 125,000 B/s, drops at rate λ = 1/30 s and a chunk that takes T without one, the time that
/// a chunk is on the air until it gets through has the mean (e^{λT} - 1)/λ (a renewal argument: each
/// try ends at min(T, drop), and the tries are e^{λT} on average). Bytes that left the phone are R
/// times that, for each chunk:
/// - whole, T = 32 s: 3.75 MB x (e^{32/30} - 1) = 7.146 MB
/// - 1 MB, T = 8 s: 4 x 3.75 MB x (e^{8/30} - 1) = 4.584 MB
/// - 256 KiB, T = 2.097152 s, 15 of them and one of 67,840 B: 4.141 MB
///
/// Charging each failed try its whole chunk gives size x e^{λT} = 11.62, 5.22 and 4.29 MB, which
/// textbooks print. That counts bytes that the line's end kept from leaving: the first is true.
@Suite struct UploadUnderDropsTests {
    struct Case: Sendable, CustomStringConvertible {
        var name: String
        var chunk: Int64
        var left: Double
        var charged: Double
        var description: String { name }
    }

    static let cases: [Case] = [
        .init(name: "restart from zero", chunk: 4_000_000, left: 7.146, charged: 11.62),
        .init(name: "1 MB chunks", chunk: 1_000_000, left: 4.584, charged: 5.22),
        .init(name: "256 KiB chunks", chunk: 262_144, left: 4.141, charged: 4.29),
    ]

    @Test(arguments: cases)
    func `bytes that left the phone agree with the renewal formula`(_ example: Case) throws {
        let location = try #require(URL(string: "https://up.example/files/u1"))
        let runs = (1...2_000).map { seed in
            Self.upload(4_000_000, example.chunk, to: location, seed: UInt64(seed))
        }
        Self.check(runs.map(\.left), against: example.left)
        Self.check(runs.map(\.charged), against: example.charged)
    }

    /// Within three standard errors; the expected figures are rounded to three or two decimals.
    static func check(_ sample: [Double], against expected: Double) {
        let count = Double(sample.count)
        let mean = sample.reduce(0, +) / count
        let variance = sample.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / (count - 1)
        let tolerance = 3 * (variance / count).squareRoot() + 0.005
        #expect(abs(mean - expected) < tolerance, "\(mean) MB, expected \(expected)")
    }

    /// Drives the state machine over a line without latency whose server keeps whole chunks only.
    static func upload(
        _ length: Int64,
        _ chunk: Int64,
        to location: URL,
        seed: UInt64
    ) -> (left: Double, charged: Double) {
        let random = SeededRandom(seed: seed &* 104_729)
        var sizer = ChunkSizer(sizes: QuantityRange(ByteCount(chunk)))
        var progress = UploadProgress(length: length, location: location)
        var kept: Int64 = 0
        var left = 0.0
        var charged = 0.0
        while true {
            switch progress.nextAction(chunk: sizer.next) {
            case .append(let range):
                let bytes = Double(range.count)
                let uniform = (Double(random.next() >> 11) + 1) * 0x1p-53
                let drop = -30 * log(uniform)
                charged += bytes
                left += min(bytes, drop * 125_000)
                guard drop * 125_000 >= bytes else {
                    _ = progress.takeError(.ambiguous)
                    sizer.lost()
                    continue
                }
                kept = range.upperBound
                answer(204, kept, to: .append(range), &progress, &sizer, location)
            case .query:
                answer(200, kept, to: .query, &progress, &sizer, location)
            case .create, .finish:
                return (left / 1e6, charged / 1e6)
            }
        }
    }

    private static func answer(
        _ status: Int,
        _ offset: Int64,
        to action: UploadAction,
        _ progress: inout UploadProgress,
        _ sizer: inout ChunkSizer,
        _ endpoint: URL
    ) {
        let response = HTTPResponse(
            status: status,
            headers: [HTTPHeader("Upload-Offset", "\(offset)")]
        )
        _ = progress.take(
            response,
            to: action,
            endpoint: endpoint,
            retryAfter: nil,
            sizer: &sizer
        )
    }
}
