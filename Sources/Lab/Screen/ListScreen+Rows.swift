import ClientModules
import Foundation
import Profiles
import Quantities
import SimulationKernel
import Trace

/// Rows that come and go, and the pictures they wait for.
extension ListScreen {
    /// Makes `rows` the ones on the screen: binds those that come, recycles those that leave.
    func show(_ rows: Range<Int>, of index: Int, towards direction: Int) {
        guard var feed = feeds[index], let launch = phone.launch else { return }
        for row in feed.cells.keys.sorted() where !rows.contains(row) {
            guard let cell = feed.cells.removeValue(forKey: row) else { continue }
            recycle(cell, in: launch)
        }
        for row in rows where feed.cells[row] == nil {
            guard let key = feed.key(of: row, at: world.address) else { continue }
            feed.cells[row] = bind(key, isVisible: true, in: launch)
        }
        let wanted = ahead(of: rows, towards: direction)
        for row in feed.ahead.keys.sorted() {
            guard let cell = feed.ahead[row] else { continue }
            // A row that is on the screen now has joined what was begun for it.
            guard cell.hasEnded || !(wanted.contains(row) || rows.contains(row)) else { continue }
            feed.ahead[row] = nil
            if settings.cancelsOnRecycle { cell.giveUp() }
        }
        for row in direction > 0 ? Array(wanted) : wanted.reversed() where feed.ahead[row] == nil {
            guard let key = feed.key(of: row, at: world.address) else { continue }
            feed.ahead[row] = bind(key, isVisible: false, in: launch)
        }
        feed.visible = rows
        feeds[index] = feed
    }

    /// The list leaves the screen.
    func leave(_ index: Int) {
        guard var feed = feeds[index] else { return }
        if let launch = phone.launch {
            for row in feed.cells.keys.sorted() {
                if let cell = feed.cells[row] { recycle(cell, in: launch) }
            }
            for row in feed.ahead.keys.sorted() { feed.ahead[row]?.giveUp() }
        }
        feed.empty()
        feeds[index] = feed
    }

    private func ahead(of rows: Range<Int>, towards direction: Int) -> Range<Int> {
        let count = settings.prefetchRows
        return direction > 0
            ? rows.upperBound..<rows.upperBound + count
            : max(0, rows.lowerBound - count)..<rows.lowerBound
    }

    private func bind(_ key: ImageKey, isVisible: Bool, in launch: LaunchSeams) -> ListCell {
        let cell = ListCell(key: key, began: world.simulation.instant, isVisible: isVisible)
        guard let images = launch.app?.images else { return cell }
        cell.start(in: launch.incarnation) { [self] in
            do {
                let served = try await images.image(
                    for: key,
                    tier: isVisible ? .visible : .prefetch
                )
                launch.atLocalTime { [self] in take(served, for: cell, in: launch) }
            } catch let error as URLError where error.code == .cancelled {
                return
            } catch is CancellationError {
                return
            } catch {
                launch.log("no picture: \(RefusalReason.text(of: error))")
            }
        }
        return cell
    }

    /// A picture is there: its row shows it, if it is still on the screen.
    private func take(_ served: ServedImage, for cell: ListCell, in launch: LaunchSeams) {
        let now = world.simulation.instant
        let isShown = cell.isVisible && isOnScreen(cell)
        if isShown {
            cell.bitmap = served.image
            tellPlaceholder(now - cell.began)
            tellFill(served.image, of: cell.key)
        }
        world.report(
            .imageServed(
                ImageServing(
                    source: served.joined ? .coalesced : served.source.traced,
                    isVisible: isShown,
                    wait: now - cell.began
                )
            ),
            device: phone.device
        )
    }

    private func isOnScreen(_ cell: ListCell) -> Bool {
        guard let shown, let feed = feeds[shown] else { return false }
        return feed.cells.values.contains { $0 === cell }
    }

    private func recycle(_ cell: ListCell, in launch: LaunchSeams) {
        if cell.bitmap == nil { tellPlaceholder(world.simulation.instant - cell.began) }
        cell.bitmap = nil
        if settings.cancelsOnRecycle { cell.giveUp() }
    }

    /// Pixels of the bitmap over pixels of its place: below one it is blurred, at four or more it
    /// could have been decoded at half its size.
    private func tellFill(_ image: DecodedImage, of key: ImageKey) {
        let place = Double(key.size.width) * Double(key.size.height)
        let pixels = Double(image.size.width) * Double(image.size.height)
        world.report(
            .measured(name: ScreenMetric.fill, value: pixels / place),
            device: phone.device
        )
    }

    private func tellPlaceholder(_ span: Duration) {
        world.report(
            .measured(
                name: ScreenMetric.placeholder,
                value: Double(span.wholeNanoseconds) / 1e6
            ),
            device: phone.device
        )
    }
}

extension ServedImage.Source {
    fileprivate var traced: ImageServing.Source {
        switch self {
        case .memory: .memory
        case .disk: .disk
        case .network: .network
        }
    }
}
