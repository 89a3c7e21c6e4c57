import ClientModules
import Foundation
import Profiles
import Quantities

/// One list of the app: where it stands, and its rows on and ahead of the screen.
struct ListFeed {
    /// What a row is and how far a fling goes.
    let action: ScrollAction
    /// Its number among the workload's entries: rows of two lists show different pictures.
    let index: Int
    /// Pixels above the screen.
    var position: Int64 = 0
    /// How often it was flung.
    var flings = 0
    /// The rows that are on the screen, with a picture or without.
    var visible: Range<Int> = 0..<0
    /// Those with a picture.
    var cells: [Int: ListCell] = [:]
    /// Rows ahead of it.
    var ahead: [Int: ListCell] = [:]

    init(_ action: ScrollAction, index: Int) {
        self.action = action
        self.index = index
    }

    /// No row is on the screen or ahead of it.
    mutating func empty() {
        visible = 0..<0
        cells = [:]
        ahead = [:]
    }

    /// Rows that are on the screen when so many pixels are above it; part of a row is enough.
    func rows(at position: Int64) -> Range<Int> {
        let height = Int64(action.rowHeight)
        let first = position / height
        let last = (position + Int64(action.viewport) + height - 1) / height
        return Int(first)..<Int(last)
    }

    /// What a row shows; nil for rows without a picture.
    func key(of row: Int, at server: ServerAddress) -> ImageKey? {
        guard let picture = action.picture else { return nil }
        let number = picture.distinct.map { row % $0 } ?? row
        return ImageKey(
            source: server.url("/images/\(picture.album ?? "list\(index + 1)")-\(number + 1)"),
            size: PixelSize(width: picture.width, height: picture.height)
        )
    }
}
