import ClientModules
import Foundation
import PhoneModel
import Quantities
import SimulationKernel
import Trace

/// The memory of one launch: what seams hand out charges itself, modules declare the rest.
final class LaunchMemory: MemoryMeter, @unchecked Sendable {
    // Confined to the thread that hosts the world.
    private let ledger: MemoryLedger
    private let label: ProcessLabel
    private let incarnation: Incarnation

    init(ledger: MemoryLedger, label: ProcessLabel, incarnation: Incarnation) {
        self.ledger = ledger
        self.label = label
        self.incarnation = incarnation
    }

    func declare(_ bytes: Int64, holder: String) {
        guard incarnation.canAct else { return }
        ledger.declare(ByteCount(max(0, bytes)), of: label, holder: holder)
    }

    /// Charges `size` until the charge is released.
    func charge(_ size: ByteCount, holder: String) -> MemoryCharge {
        guard incarnation.isAlive else { return MemoryCharge { _ in } }
        ledger.charge(size, to: label, holder: holder)
        return MemoryCharge { [self] _ in
            guard incarnation.isAlive else { return }
            ledger.release(size, of: label, holder: holder)
        }
    }

    /// Bytes that stay charged for as long as anyone holds them.
    func chargedData(_ bytes: [UInt8], holder: String) -> Data {
        // Data keeps small buffers inline and copies them: they are too small to matter here.
        guard bytes.count > Self.inlineLimit else { return Data(bytes) }
        let charge = charge(ByteCount(bytes.count), holder: holder)
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
        copy.copyBytes(from: bytes)
        guard let start = copy.baseAddress else { return Data(bytes) }
        return Data(
            bytesNoCopy: start,
            count: bytes.count,
            deallocator: .custom { pointer, _ in
                pointer.deallocate()
                charge.release()
            }
        )
    }

    private static let inlineLimit = 64
}

/// Memory that is charged until it is released; releasing twice does nothing.
final class MemoryCharge: @unchecked Sendable {
    // Confined to the thread that hosts the world.
    private var onRelease: ((MemoryCharge) -> Void)?

    init(_ onRelease: @escaping (MemoryCharge) -> Void) {
        self.onRelease = onRelease
    }

    func release() {
        let action = onRelease
        onRelease = nil
        action?(self)
    }
}
