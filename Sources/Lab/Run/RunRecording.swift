import Measurements
import Quantities
import SimulationKernel

/// One run of a seed, with the kernel events of a window: one side of a comparison.
package struct RunRecording: Codable, Sendable {
    /// The fingerprint, as text.
    package var fingerprint: String
    /// The rolling fingerprint after each window of events.
    package var checkpoints: [UInt64]
    /// The events of the window.
    package var events: [EventRecord]
    /// What happened in the run, in words, as far as the window reaches.
    package var story: [StoryLine]
    /// Whether code read the system's own clocks and entropy.
    package var isPortable: Bool

    /// Most lines of the story that are kept: the last ones are what is asked for.
    private static let storyLimit = 40

    /// Makes a recording of events that are known.
    package init(
        fingerprint: String = "",
        checkpoints: [UInt64] = [],
        events: [EventRecord],
        story: [StoryLine] = [],
        isPortable: Bool
    ) {
        self.fingerprint = fingerprint
        self.checkpoints = checkpoints
        self.events = events
        self.story = story
        self.isPortable = isPortable
    }

    /// Runs `seed` and keeps the events of `window`.
    ///
    /// - Throws: `KernelFault`.
    package init(
        _ runner: SeedRunner,
        seed: UInt64,
        window: Range<UInt64>,
        options: SeedRunner.Options = SeedRunner.Options()
    ) throws {
        var recording = options
        recording.recordedEvents = window
        recording.tellsStory = true
        let run = try runner.run(seed: seed, options: recording)
        fingerprint = "\(run.fingerprint)"
        checkpoints = run.fingerprint.checkpoints
        events = run.recordedEvents
        isPortable = options.mode == .portable
        let last = run.recordedEvents.last?.instant ?? .zero
        story = run.story.filter { $0.instant <= last }.suffix(Self.storyLimit)
    }

    /// The window of event numbers in which two runs part; nil if they are alike.
    package static func firstDifference(
        _ first: (fingerprint: String, checkpoints: [UInt64]),
        _ second: (fingerprint: String, checkpoints: [UInt64])
    ) -> Range<UInt64>? {
        guard first.fingerprint != second.fingerprint else { return nil }
        let shared = zip(first.checkpoints, second.checkpoints)
        let place =
            shared.enumerated().first { $0.element.0 != $0.element.1 }?.offset
            ?? min(first.checkpoints.count, second.checkpoints.count)
        let start = UInt64(place) * Fingerprint.window
        return start..<start + Fingerprint.window
    }
}
