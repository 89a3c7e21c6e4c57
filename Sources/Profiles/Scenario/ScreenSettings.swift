import Quantities

/// Settings of the built-in image cache.
package struct ImageSettings: Equatable, Sendable {
    /// Bitmaps kept in memory; nil for the 48 MiB of the module.
    package var memory: ByteCount?
    /// Files kept on disk; 150 MB is Nuke's.
    package var disk: ByteCount
    /// Bitmaps that are decoded at a time.
    package var parallelDecodes: Int
    /// Whether the server is asked for a file that fits the place, not for the original.
    package var variants: Bool

    /// Makes settings.
    package init(
        memory: ByteCount? = nil,
        disk: ByteCount = .megabytes(150),
        parallelDecodes: Int = 2,
        variants: Bool = true
    ) {
        self.memory = memory
        self.disk = disk
        self.parallelDecodes = parallelDecodes
        self.variants = variants
    }
}

/// What the app does for its screen.
package struct ScreenSettings: Equatable, Sendable {
    /// Main-thread work of each frame of an animation.
    package var frameWork: Duration
    /// Main-thread work to fill a row that comes on the screen, on top of that.
    package var bindWork: Duration
    /// Rows ahead of the screen whose pictures are fetched.
    package var prefetchRows: Int
    /// Whether a row that leaves the screen gives up its picture.
    package var cancelsOnRecycle: Bool

    /// Makes settings; 2 ms a frame and 1 ms a row are assumptions.
    package init(
        frameWork: Duration = .milliseconds(2),
        bindWork: Duration = .milliseconds(1),
        prefetchRows: Int = 0,
        cancelsOnRecycle: Bool = true
    ) {
        self.frameWork = frameWork
        self.bindWork = bindWork
        self.prefetchRows = prefetchRows
        self.cancelsOnRecycle = cancelsOnRecycle
    }
}
