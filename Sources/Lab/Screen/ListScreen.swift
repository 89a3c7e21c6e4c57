import ClientModules
import Foundation
import PhoneModel
import Profiles
import Quantities
import SimulationKernel
import Trace

/// The phone's screen: lists that a person flings, frame by frame, on the app's main thread.
///
/// A frame begins at each vertical sync while a list moves, the first one as the finger lets go. Its
/// work has to be done within the frame budget (75 % of the period); a frame that is late, or finds
/// the main thread busy, is dropped and the screen shows the one before for a period longer. A
/// thread that is busy for a whole period does no work for that frame at all. Rows change with the
/// frames that are worked on.
final class ListScreen: @unchecked Sendable {
    // Confined to the thread that hosts the world.
    struct Fling {
        var feed: Int
        var from: Int64
        var to: Int64
        var start: SimulationInstant
        var length: Duration
        var frames = 0
        /// Frames dropped since the last one that was shown.
        var late = 0
        var hasDropped = false

        func position(at now: SimulationInstant) -> Int64 {
            let elapsed = (now - start).wholeNanoseconds
            let whole = length.wholeNanoseconds
            guard elapsed < whole else { return to }
            return from + Int64(Int128(to - from) * Int128(elapsed) / Int128(whole))
        }
    }

    unowned let world: World
    unowned let phone: Phone
    var feeds: [Int: ListFeed] = [:]
    /// The list that is on the screen.
    var shown: Int?
    let settings: ScreenSettings
    private let period: Duration
    private let budget: Duration
    private var fling: Fling?

    init(world: World, phone: Phone) {
        self.world = world
        self.phone = phone
        settings = world.scenario.scenario.app.screen
        let device = world.scenario.conditions.device.model
        period = device.framePeriod
        budget = device.frameBudget
    }

    private var now: SimulationInstant { world.simulation.instant }

    /// The person flings the list of entry `index`.
    func fling(_ action: ScrollAction, index: Int) {
        endFling()
        if let shown, shown != index { leave(shown) }
        shown = index
        var feed = feeds[index] ?? ListFeed(action, index: index)
        let isBack = action.direction == .alternate && feed.flings % 2 == 1
        feed.flings += 1
        feeds[index] = feed
        // A list that was stopped on its way does not go back past its beginning.
        let target =
            isBack
            ? max(0, feed.position - action.distance) : feed.position + action.distance
        fling = Fling(
            feed: index,
            from: feed.position,
            to: target,
            start: now,
            length: action.length(of: abs(target - feed.position))
        )
        frame()
    }

    /// The app's main thread is busy from now on.
    func blockMain(for span: Duration) {
        guard let incarnation = phone.launch?.incarnation, incarnation.canAct else { return }
        incarnation.enter(lane: .main) { incarnation.block(for: span) }
        phone.energy.worked(for: span, owner: "main")
    }

    /// The app came up again: it shows what was on the screen, all of it anew.
    func appIsReady() {
        endFling()
        guard let shown, var feed = feeds[shown] else { return }
        feed.empty()
        feeds[shown] = feed
        show(feed.rows(at: feed.position), of: shown, towards: 1)
    }

    /// The app is gone or out of sight: nothing moves, and rows give up what they wait for.
    func hide() {
        endFling()
        if let shown { leave(shown) }
    }

    /// The run is over: tells how many rows of the list on the screen show no picture.
    func tellEnd() {
        guard let shown, let feed = feeds[shown], feed.action.picture != nil else { return }
        let empty = feed.visible.count { feed.cells[$0]?.bitmap == nil }
        world.report(
            .measured(name: ScreenMetric.empty, value: Double(empty)),
            device: phone.device
        )
    }

    // MARK: Frames

    private func frame() {
        guard var fling, let launch = phone.launch, launch.app != nil else { return endFling() }
        let incarnation = launch.incarnation
        let lag = incarnation.lag(of: .main)
        fling.frames += 1
        if lag >= period {
            fling.late += 1
        } else {
            let target = fling.position(at: now)
            let rows = feeds[fling.feed]?.rows(at: target) ?? 0..<0
            let known = feeds[fling.feed]?.visible ?? 0..<0
            let entering = rows.count - rows.clamped(to: known).count
            let work = settings.frameWork + settings.bindWork * entering
            if lag + work > budget { fling.late += 1 } else { close(&fling) }
            incarnation.enter(lane: .main) { incarnation.block(for: work) }
            phone.energy.worked(for: work, owner: "frames")
            feeds[fling.feed]?.position = target
            show(rows, of: fling.feed, towards: fling.to < fling.from ? -1 : 1)
        }
        let isOver = now - fling.start >= fling.length
        let frames = fling.frames
        let start = fling.start
        self.fling = fling
        guard !isOver else { return endFling() }
        world.schedule(at: start + period * frames) { [self] in
            guard self.fling?.start == start, self.fling?.frames == frames else { return }
            frame()
        }
    }

    /// A frame was shown: those before it were late.
    private func close(_ fling: inout Fling) {
        guard fling.late > 0 else { return }
        fling.hasDropped = true
        world.report(
            .framesDropped(count: fling.late, hitch: period * fling.late),
            device: phone.device
        )
        fling.late = 0
    }

    private func endFling() {
        guard var fling else { return }
        close(&fling)
        if !fling.hasDropped {
            // So that a smooth fling is a measured zero.
            world.report(.framesDropped(count: 0, hitch: .zero), device: phone.device)
        }
        self.fling = nil
    }
}
