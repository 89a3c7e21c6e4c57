import ClientModules
import Foundation
import LiveClient
import Quantities
import SQLiteStore
import Synchronization
import Testing

/// Pictures in words, such as "IMG 4000x3000", dots, and "END"; decoding takes 15 ms.
final class WordDecoder: ImageDecoder {
    enum Failure: Error { case unreadable }

    private struct State {
        var decoded: [PixelSize] = []
        var running = 0
        var most = 0
    }

    private let state = Mutex(State())
    private let clock: ManualClock

    init(clock: ManualClock) {
        self.clock = clock
    }

    var decoded: [PixelSize] { state.withLock { $0.decoded } }
    var mostAtOnce: Int { state.withLock { $0.most } }

    static func picture(_ width: Int, _ height: Int, count: Int = 200) -> String {
        let start = "IMG \(width)x\(height) "
        return start + String(repeating: ".", count: max(0, count - start.utf8.count - 4)) + " END"
    }

    func measure(_ encoded: Data) throws -> PixelSize {
        let words = String(decoding: encoded, as: UTF8.self).split(separator: " ")
        guard words.count >= 2, words[0] == "IMG" else { throw Failure.unreadable }
        let sides = words[1].split(separator: "x").compactMap { Int($0) }
        guard sides.count == 2 else { throw Failure.unreadable }
        return PixelSize(width: sides[0], height: sides[1])
    }

    func decode(_ encoded: Data, plan: ImageDecodePlan) async throws -> DecodedImage {
        guard encoded.suffix(3) == Data("END".utf8) else { throw Failure.unreadable }
        state.withLock { state in
            state.running += 1
            state.most = max(state.most, state.running)
            state.decoded.append(plan.size)
        }
        defer { state.withLock { $0.running -= 1 } }
        try await clock.sleep(for: .milliseconds(15))
        return DecodedImage(size: plan.size, byteCount: plan.size.bitmapBytes, content: "")
    }
}

/// A phone whose app is one image cache.
final class ImageFixture {
    let phone: TestPhone
    let decoder: WordDecoder
    let heard = Heard<ImageCacheEvent>()
    let outcome = Heard<String>()
    private(set) var cache: ImageCache
    private var configuration: ImageCacheConfiguration

    /// `files` stands in for the real disk.
    init(
        _ configuration: ImageCacheConfiguration = .init(),
        slots: RequestSlots = .init(),
        files: (any FileStore)? = nil
    ) throws {
        phone = try TestPhone()
        decoder = WordDecoder(clock: phone.clock)
        self.configuration = configuration
        cache = Self.start(phone, decoder, configuration, slots, heard, files)
    }

    private static func start(
        _ phone: TestPhone,
        _ decoder: WordDecoder,
        _ configuration: ImageCacheConfiguration,
        _ slots: RequestSlots,
        _ heard: Heard<ImageCacheEvent>,
        _ files: (any FileStore)?
    ) -> ImageCache {
        var environment = phone.environment
        if let files { environment.files = files }
        let scheduler = RequestScheduler(environment: environment, slots: slots)
        let cache = ImageCache(
            environment: environment,
            decoder: decoder,
            scheduler: scheduler,
            configuration: configuration
        ) { heard.hear($0) }
        phone.start { await scheduler.run() }
        phone.start { await cache.run() }
        return cache
    }

    /// Kills the app and starts it again.
    func relaunch() {
        phone.launch()
        cache = Self.start(phone, decoder, configuration, .init(), heard, nil)
    }

    static func key(_ name: String, _ width: Int = 540, _ height: Int = 540) throws -> ImageKey {
        ImageKey(
            source: try #require(URL(string: "https://img.example/\(name)")),
            size: PixelSize(width: width, height: height)
        )
    }

    /// Asks, and notes what comes of it: the source, with a plus for one that joined.
    @discardableResult
    func ask(_ key: ImageKey, _ tier: RequestTier = .visible) -> Task<Void, Never> {
        let cache = cache
        let outcome = outcome
        return phone.start {
            do {
                let served = try await cache.image(for: key, tier: tier)
                outcome.hear("\(served.source)" + (served.joined ? "+" : ""))
            } catch let error as URLError {
                outcome.hear(error.code == .cancelled ? "cancelled" : "line")
            } catch {
                outcome.hear("\(error)")
            }
        }
    }

    /// The server has this picture under every name.
    func serve(
        _ picture: String = WordDecoder.picture(4_000, 3_000),
        _ headers: [HTTPHeader] = [],
        after span: Duration = .milliseconds(100)
    ) {
        phone.transport.serve { _, _ in .answer(200, headers, body: picture, after: span) }
    }
}

/// A disk that takes no more bytes.
final class FullStore: FileStore {
    private let inner = PosixFileStore()

    func open(_ path: String, create: Bool) throws(FileStoreError) -> any StoredFile {
        guard !create else { throw .noSpace }
        return try inner.open(path, create: false)
    }

    func remove(_ path: String, syncDirectory: Bool) throws(FileStoreError) {
        try inner.remove(path, syncDirectory: syncDirectory)
    }

    func rename(_ path: String, to target: String) throws(FileStoreError) { throw .noSpace }
    func syncDirectory(of path: String) throws(FileStoreError) { throw .noSpace }
    func exists(_ path: String) throws(FileStoreError) -> Bool { try inner.exists(path) }

    func metadata(of path: String) throws(FileStoreError) -> FileMetadata? {
        try inner.metadata(of: path)
    }

    func list(prefix: String) throws(FileStoreError) -> [String] { try inner.list(prefix: prefix) }
}
