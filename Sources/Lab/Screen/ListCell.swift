import ClientModules
import Quantities
import SimulationKernel

/// A row of a list, or of what is prefetched of it: the work for its picture, and the bitmap.
///
/// What `UITableViewCell` or a `ViewHolder` is to an app.
final class ListCell: @unchecked Sendable {
    // Confined to the thread that hosts the world.
    let key: ImageKey
    /// When it was bound, or the prefetch began.
    let began: SimulationInstant
    /// Whether it is on the screen.
    let isVisible: Bool
    /// Held for as long as the row is on the screen.
    var bitmap: DecodedImage?
    /// Whether the work has ended, one way or the other.
    private(set) var hasEnded = false
    private var isGivenUp = false
    private var stop: Resumption<Void>?

    init(key: ImageKey, began: SimulationInstant, isVisible: Bool) {
        self.key = key
        self.began = began
        self.isVisible = isVisible
    }

    /// Gives the work up, as cancelling its task does.
    func giveUp() {
        isGivenUp = true
        stop?.resume(returning: ())
    }

    /// Runs `work` as code of the launch, until it has ended or is given up.
    func start(in incarnation: Incarnation, _ work: @escaping @Sendable () async -> Void) {
        incarnation.start { [self] in
            guard !isGivenUp else { return }
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await work() }
                group.addTask { [self] in
                    // Resumed by `giveUp`, or cancelled when the work has ended.
                    try? await incarnation.suspend(
                        onCancel: { $0.resume(returning: ()) },
                        { stop = $0 }
                    )
                }
                await group.next()
                group.cancelAll()
            }
            hasEnded = true
        }
    }
}
