import Quantities

/// A person flings a list of rows: how fast, how far, and what is in a row.
///
/// Speed is constant until the list stops: a fling that slows down shows its rows for longer.
package struct ScrollAction: Equatable, Sendable {
    /// How many rows are on the screen at some time in one fling, its start and end included.
    package var rows: Int
    /// Pixels a second.
    package var speed: Int
    /// Pixels from one row to the next.
    package var rowHeight: Int
    /// Pixels of the list on the screen.
    package var viewport: Int
    /// Where the list goes.
    package var direction: Direction
    /// The picture in each row; nil for rows without one.
    package var picture: Picture?

    /// Where a list goes.
    package enum Direction: String, Sendable, CaseIterable {
        /// Each fling goes on where the last one ended.
        case down
        /// Each second fling goes back.
        case alternate
    }

    /// The picture in a row.
    package struct Picture: Equatable, Sendable {
        /// Pixels of its place from left to right.
        package var width: Int
        /// Pixels of its place from top to bottom.
        package var height: Int
        /// How many different ones there are: rows share them in turn; nil for one a row.
        package var distinct: Int?
        /// Lists of one album show the same pictures; nil for a list of its own.
        package var album: String?

        /// Makes a picture.
        package init(width: Int, height: Int, distinct: Int? = nil, album: String? = nil) {
            self.album = album
            self.width = width
            self.height = height
            self.distinct = distinct
        }
    }

    /// Makes a fling.
    ///
    /// 12,000 pixels a second, rows of 480 and a list of 2,400 pixels are assumptions: a fast fling
    /// on a screen of 1080 x 2400 that shows five cards.
    package init(
        rows: Int,
        speed: Int = 12_000,
        rowHeight: Int = 480,
        viewport: Int = 2_400,
        direction: Direction = .down,
        picture: Picture? = nil
    ) {
        self.rows = rows
        self.speed = speed
        self.rowHeight = rowHeight
        self.viewport = viewport
        self.direction = direction
        self.picture = picture
    }

    /// How many pixels a fling goes.
    package var distance: Int64 {
        max(0, Int64(rows) * Int64(rowHeight) - Int64(viewport))
    }

    /// How long a whole fling takes.
    package var length: Duration { length(of: distance) }

    /// How long so many pixels take, rounded up to a nanosecond.
    package func length(of pixels: Int64) -> Duration {
        let speed = Int128(self.speed)
        let nanoseconds = (Int128(pixels) * 1_000_000_000 + speed - 1) / speed
        return .nanoseconds(Int64(nanoseconds))
    }
}
