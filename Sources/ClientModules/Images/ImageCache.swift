import Foundation
import Quantities
import Synchronization

/// Gets pictures to the screen once each, at the size they are shown, and keeps what fits.
///
/// ```swift
/// let cache = ImageCache(environment: environment, decoder: decoder, scheduler: scheduler)
/// Task { await cache.run() }                           // once a launch; cancel to stop
/// let served = try await cache.image(for: key, tier: .visible)
/// ```
///
/// **Two tiers, in bytes.** Bitmaps in memory, at what they occupy (width x height x 4); files on disk,
/// as they came. Both are exact and least recently used goes first; the cap on disk holds at each
/// write. A file on disk is whole or not there: it carries a checksum and is renamed into place.
///
/// **At the size of the place.** A file is decoded at a power of two below its own size, the smallest
/// that still fills the place, so a photograph of 48 MB is never in memory to show a thumbnail.
/// Bitmaps come into being a few at a time, by bytes; the most urgent first.
///
/// **Once.** Whoever asks for a key that is on its way joins it. The last one who leaves stops it, at
/// the transport too, and before the next step: what scrolled by is neither fetched to its end nor
/// decoded. What was prefetched and comes on the screen moves up all the way.
///
/// **When memory is short** it lets go by `MemoryPressureLevel` and phase, and decodes nothing that
/// nobody looks at (`ImageError.deferred`) until there was no warning for a while.
///
/// **When the line is gone** a stale file is better than none, and is shown. A 404 is believed for a
/// while only. A full disk costs the disk tier, nothing else.
///
/// **When the server asks to be left alone** by Retry-After nothing is asked of it before: what has a
/// stale file shows that, the rest waits for as long as somebody looks, or fails (`patience`).
public final class ImageCache: ImageLoading {
    struct State {
        var bitmaps: [ImageKey: DecodedImage] = [:]
        var index = LRUIndex<ImageKey>()
        var allowance: MemoryAllowance
        /// What is asked of the server now, for the key: what a promotion has to reach.
        var requests: [ImageKey: HTTPRequest] = [:]
        var refusals = RefusalMemory()
    }

    let environment: ClientEnvironment
    let configuration: ImageCacheConfiguration
    let decoder: any ImageDecoder
    let scheduler: RequestScheduler
    /// What the server asked of all calls by Retry-After.
    let pause: SharedServerPause
    let disk: ImageDiskTier
    let gate: DecodeGate
    let observer: (@Sendable (ImageCacheEvent) -> Void)?
    let state: Mutex<State>
    let work: SharedWork<ImageKey, ImageKey, ServedImage>

    /// Makes a cache; fetches nothing until `run()` and the scheduler's `run()`.
    ///
    /// Give it the `pause` of all calls to its server; that of a `StoredServerPause` outlives the process.
    /// The observer is called where things happen, so it must not block.
    public init(
        environment: ClientEnvironment,
        decoder: any ImageDecoder,
        scheduler: RequestScheduler,
        configuration: ImageCacheConfiguration = ImageCacheConfiguration(),
        pause: SharedServerPause = SharedServerPause(),
        observer: (@Sendable (ImageCacheEvent) -> Void)? = nil
    ) {
        self.environment = environment
        self.configuration = configuration
        self.decoder = decoder
        self.scheduler = scheduler
        self.pause = pause
        self.observer = observer
        disk = ImageDiskTier(
            files: environment.files,
            folder: configuration.folder ?? environment.directory + "/images",
            limit: configuration.diskLimit,
            report: { observer?($0) }
        )
        gate = DecodeGate(
            limit: configuration.decodeLimit,
            parallel: configuration.parallelDecodes
        )
        state = Mutex(
            State(
                allowance: MemoryAllowance(
                    limit: configuration.memoryLimit,
                    rest: configuration.restAfterPressure
                )
            )
        )
        // No slots of its own: the line's are the scheduler's, the processor's are the gate's.
        work = SharedWork(slots: nil)
    }

    /// The bitmap, if it is in memory: for a cell that must not wait.
    public func cached(_ key: ImageKey) -> DecodedImage? {
        state.withLock { state in
            guard let image = state.bitmaps[key] else { return nil }
            state.index.touch(key)
            return image
        }
    }

    /// The picture: from memory, from disk, or from the server.
    ///
    /// Throws `ImageError`, the transport's `URLError`, what the decoder threw, or
    /// `URLError.cancelled` when the calling task is cancelled. Ask with `prefetch` for what may be
    /// on the screen soon.
    public func image(for key: ImageKey, tier: RequestTier) async throws -> ServedImage {
        if let image = cached(key) { return ServedImage(image: image, source: .memory) }
        if work.tier(of: key) != nil { promote(key, to: tier) }
        let outcome = try await work.value(of: key, input: key, tier: tier)
        var served = outcome.value
        served.joined = outcome.joined
        return served
    }

    /// Makes what is on its way for `key` at least this urgent, at the scheduler too.
    ///
    /// False when nothing is on its way.
    @discardableResult
    public func promote(_ key: ImageKey, to tier: RequestTier) -> Bool {
        let isKnown = work.promote(key, to: tier)
        if let request = state.withLock({ $0.requests[key] }) {
            scheduler.promote(request, to: tier)
        }
        return isKnown
    }

    /// Works until the task is cancelled; call it once a launch, in a task of its own.
    ///
    /// All of its work are child tasks of that task. A second call while one runs returns at once.
    public func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.watchPressure() }
            group.addTask { await self.watchPhases() }
            await work.run { _, key in try await self.produce(key) }
            group.cancelAll()
        }
    }

    /// Forgets all bitmaps, which end when nobody else holds them; files stay.
    public func removeBitmaps() {
        // What is let go of ends outside of the lock.
        _ = state.withLock { Self.trim(&$0, to: .zero) }
    }

    /// Bytes of bitmaps that the cache keeps.
    public var memoryInUse: ByteCount {
        state.withLock { ByteCount($0.index.total) }
    }

    /// Bytes of files that the cache keeps.
    public var diskInUse: ByteCount {
        get async { ByteCount(await disk.bytesInUse) }
    }

    // MARK: Memory

    /// Keeps a bitmap, as far as it may.
    func keep(_ image: DecodedImage, for key: ImageKey) {
        let now = environment.clock.now
        let gone: [(ImageKey, DecodedImage?)] = state.withLock { state in
            let limit = state.allowance.bytes(at: now)
            guard image.byteCount.bytes <= limit.bytes / 2 else { return [] }
            state.index.insert(key, cost: image.byteCount.bytes)
            state.bitmaps[key] = image
            return Self.trim(&state, to: limit)
        }
        tell(gone, .room)
    }

    private func watchPressure() async {
        for await level in environment.signals.memoryPressure() {
            let now = environment.clock.now
            let gone = state.withLock { state in
                state.allowance.pressureChanged(to: level, at: now)
                return Self.trim(&state, to: state.allowance.bytes(at: now))
            }
            tell(gone, .pressure)
        }
    }

    private func watchPhases() async {
        for await phase in environment.signals.phases() {
            let now = environment.clock.now
            let gone = state.withLock { state in
                state.allowance.phaseChanged(to: phase)
                return Self.trim(&state, to: state.allowance.bytes(at: now))
            }
            tell(gone, .background)
        }
    }

    /// Lets go of bitmaps; they are returned so that they end outside of the lock.
    private static func trim(
        _ state: inout State,
        to limit: ByteCount
    ) -> [(ImageKey, DecodedImage?)] {
        state.index.trim(to: limit.bytes).map { ($0, state.bitmaps.removeValue(forKey: $0)) }
    }

    private func tell(
        _ gone: [(ImageKey, DecodedImage?)],
        _ cause: ImageCacheEvent.EvictionCause
    ) {
        for (key, _) in gone { observer?(.evicted(key, cause)) }
    }
}
