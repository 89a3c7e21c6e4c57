import ClientModules
import Foundation
import PhoneModel
import Quantities
import ServerModel
import SimulationKernel
import Trace

/// The decoder of one launch: it takes the processor's time and the bitmap's memory, and no pixels.
///
/// A bitmap occupies width x height x 4 bytes from the start of its decoding until nobody holds it.
/// Decoding takes the device's time for the pixels that come out, on a core of its own: it cannot be
/// cancelled half-way, and draws the processor's power. That reading the file costs nothing beside,
/// whatever the factor, is an assumption; libjpeg reads all of it.
final class SimulatedDecoder: ImageDecoder, @unchecked Sendable {
    // Confined to the thread that hosts the world.
    enum Failure: Error, CustomStringConvertible {
        case unreadable
        case unknownTransform(String)

        var description: String {
            switch self {
            case .unreadable: "the picture is damaged"
            case .unknownTransform(let name): "there is no transform '\(name)'"
            }
        }
    }

    private unowned let world: World
    /// Gone with its launch, which a bitmap can outlive.
    private weak var launch: LaunchSeams?
    private let processor: ProcessorModel
    private var held = ByteCount.zero
    private var spent = Duration.zero

    init(world: World, launch: LaunchSeams, processor: ProcessorModel) {
        self.world = world
        self.launch = launch
        self.processor = processor
    }

    func measure(_ encoded: Data) throws -> PixelSize {
        let header = [UInt8](encoded.prefix(SimulatedImage.headerSize))
        guard let image = SimulatedImage(header: header) else { throw Failure.unreadable }
        return PixelSize(width: image.width, height: image.height)
    }

    func decode(_ encoded: Data, plan: ImageDecodePlan) async throws -> DecodedImage {
        let header = [UInt8](encoded.prefix(SimulatedImage.headerSize))
        guard let image = SimulatedImage(header: header), image.size.bytes == Int64(encoded.count)
        else { throw Failure.unreadable }
        guard let launch else { throw Failure.unreadable }
        if let transform = plan.transforms.first { throw Failure.unknownTransform(transform) }
        let size = plan.size
        let bitmap = SimulatedBitmap(
            charge: launch.memory.charge(size.bitmapBytes, holder: "bitmaps"),
            release: { [self] in hold(.zero - size.bitmapBytes) }
        )
        hold(size.bitmapBytes)
        let span = processor.decodeTime(width: size.width, height: size.height)
        let _: Void = try await launch.incarnation.suspend { resumption in
            world.schedule(at: world.simulation.now + span) {
                resumption.resume(returning: ())
            }
        }
        spent += span
        launch.report(.imageDecoded(size.bitmapBytes))
        launch.report(
            .energyDrawn(
                EnergyEntry(consumer: .cpu, energy: processor.energy(of: span), owner: "images")
            )
        )
        launch.report(
            .measured(
                name: ScreenMetric.decode,
                value: Double(spent.wholeNanoseconds) / 1e9
            )
        )
        return DecodedImage(size: size, byteCount: size.bitmapBytes, content: bitmap)
    }

    private func hold(_ change: ByteCount) {
        guard let launch, !launch.isClosed, launch.incarnation.isAlive else { return }
        held += change
        launch.report(.bitmapsHeld(held))
    }
}

/// A bitmap without pixels; its memory is free when the last who holds it lets go.
final class SimulatedBitmap: @unchecked Sendable {
    // Confined to the thread that hosts the world.
    private let charge: MemoryCharge
    private let onEnd: () -> Void

    init(charge: MemoryCharge, release: @escaping () -> Void) {
        self.charge = charge
        onEnd = release
    }

    deinit {
        charge.release()
        onEnd()
    }
}

/// Measures that the screen reports sample by sample, as the catalogue names them.
enum ScreenMetric {
    /// Processor time of all decoding so far in a launch: its maximum is the whole.
    static let decode = "screen.decode_s"
    /// How long a row showed a placeholder, for each row that came on the screen.
    static let placeholder = "screen.placeholder_ms"
    /// Pixels of the bitmap over pixels of its place, for each row that showed one.
    static let fill = "screen.bitmap_to_place"
    /// Rows on the screen at the end that show no picture.
    static let empty = "screen.rows_without_picture"
}
