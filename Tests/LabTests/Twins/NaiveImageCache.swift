import ClientModules
import Foundation
import Lab
import Profiles
import Quantities
import Synchronization

/// An image cache as a team might write it in a week: bitmaps by key, one fetch a key, files if it keeps any.
///
/// Right without defects, if plain: it is the control of its own twins.
final class NaiveImageCache: ImageLoading {
    private struct State {
        var bitmaps: [ImageKey: DecodedImage] = [:]
        var order: [ImageKey] = []
        var bytes: Int64 = 0
        var jobs: [Job] = []
        var wake: UnsafeContinuation<Void, Never>?
        var isStopped = false
    }

    /// Work that goes on whoever has left.
    private struct Job: Sendable {
        var key: ImageKey
        var tier: RequestTier
        var answer: Answer
    }

    private let scheduler: RequestScheduler
    private let decoder: any ImageDecoder
    private let limit: Int64
    private let signals: any DeviceSignals
    /// Nil in one that keeps no files.
    private let disk: NaiveImageDisk?
    private let refused = Mutex<Set<URL>>([])
    private let defects: ImageDefects
    private let variant: @Sendable (ImageKey) -> URL
    private let state = Mutex(State())

    init(_ launch: LaunchContext, scheduler: RequestScheduler, defects: ImageDefects) {
        self.scheduler = scheduler
        decoder = launch.decoder
        limit = launch.configuration.images.configuration.memoryLimit.bytes
        self.defects = defects
        signals = launch.environment.signals
        disk = defects.contains(.keepsFiles) ? NaiveImageDisk(launch, defects: defects) : nil
        variant = ImageSettings.variant
    }

    func image(for key: ImageKey, tier: RequestTier) async throws -> ServedImage {
        if let image = cached(key) { return ServedImage(image: image, source: .memory) }
        guard defects.isDisjoint(with: [.noCancellation, .callbackCancelledNotTransfer]) else {
            let answer = Answer()
            submit(Job(key: key, tier: tier, answer: answer))
            guard defects.contains(.callbackCancelledNotTransfer) else {
                return try await answer.value()
            }
            return try await withTaskCancellationHandler {
                try await answer.value()
            } onCancel: {
                answer.settle(.failure(URLError(.cancelled)))
            }
        }
        return try await load(key, tier)
    }

    func promote(_ key: ImageKey, to tier: RequestTier) -> Bool { false }

    func run() async {
        await withDiscardingTaskGroup { group in
            if let disk {
                group.addTask { [self] in
                    for await phase in signals.phases() where phase == .background { disk.leave() }
                }
            }
            while !Task.isCancelled {
                for job in takeJobs() {
                    group.addTask { [self] in
                        do {
                            job.answer.settle(.success(try await load(job.key, job.tier)))
                        } catch {
                            job.answer.settle(.failure(error))
                        }
                    }
                }
                await pause()
            }
        }
    }

    private func load(_ key: ImageKey, _ tier: RequestTier) async throws -> ServedImage {
        let address = variant(key)
        if refused.withLock({ $0.contains(address) }) { throw ImageError.refused(status: 404) }
        if let stored = try await loadStored(key, address) { return stored }
        let request = HTTPRequest(method: "GET", url: address, purpose: "images")
        let response = try await scheduler.send(
            request,
            tier: defects.contains(.oneLine) ? .background : tier
        )
        if response.status == 404, defects.contains(.refusedForEver) {
            refused.withLock { _ = $0.insert(address) }
        }
        guard response.status == 200 else { throw ImageError.refused(status: response.status) }
        if defects.contains(.damageStays) { try? await disk?.write(response.body, of: address) }
        let image = try await decoded(response.body, for: key)
        if defects.contains(.storedOrNotShown) {
            try await disk?.write(response.body, of: address)
        } else if !defects.contains(.damageStays) {
            try? await disk?.write(response.body, of: address)
        }
        keep(image, for: key)
        return ServedImage(image: image, source: .network)
    }

    /// The picture from its file; nil when there is none that shows anything.
    private func loadStored(_ key: ImageKey, _ address: URL) async throws -> ServedImage? {
        guard let disk, let file = disk.read(address) else { return nil }
        do {
            let image = try await decoded(file, for: key)
            keep(image, for: key)
            return ServedImage(image: image, source: .disk)
        } catch {
            if error is CancellationError || defects.contains(.damageStays) { throw error }
            disk.remove(address)
            return nil
        }
    }

    private func decoded(_ encoded: Data, for key: ImageKey) async throws -> DecodedImage {
        let source = try decoder.measure(encoded)
        let plan =
            defects.contains(.decodedAtSourceSize)
            ? ImageDecodePlan(source: source, factor: 1)
            : ImageDecodePlan(source: source, target: key.size)
        return try await decoder.decode(encoded, plan: plan)
    }

    /// What a bitmap is kept under.
    private func name(_ key: ImageKey) -> ImageKey {
        guard defects.contains(.keyedByURLOnly) else { return key }
        return ImageKey(source: key.source, size: PixelSize(width: 1, height: 1))
    }

    private func cached(_ key: ImageKey) -> DecodedImage? {
        state.withLock { $0.bitmaps[name(key)] }
    }

    private func keep(_ image: DecodedImage, for key: ImageKey) {
        let name = name(key)
        let gone: [DecodedImage] = state.withLock { state in
            guard state.bitmaps.updateValue(image, forKey: name) == nil else { return [] }
            state.order.append(name)
            state.bytes += image.byteCount.bytes
            var gone: [DecodedImage] = []
            while defects.contains(.capByCount) ? state.order.count > 200 : state.bytes > limit {
                let oldest = state.order.removeFirst()
                guard let bitmap = state.bitmaps.removeValue(forKey: oldest) else { continue }
                state.bytes -= bitmap.byteCount.bytes
                gone.append(bitmap)
            }
            return gone
        }
        withExtendedLifetime(gone) {}
    }

    private func submit(_ job: Job) {
        let waiting = state.withLock { state in
            state.jobs.append(job)
            defer { state.wake = nil }
            return state.wake
        }
        waiting?.resume()
    }

    private func takeJobs() -> [Job] {
        state.withLock { state in
            defer { state.jobs = [] }
            return state.jobs
        }
    }

    private func pause() async {
        await withUnsafeContinuation { continuation in
            let isDue = state.withLock { state in
                if state.jobs.isEmpty { state.wake = continuation }
                return !state.jobs.isEmpty
            }
            if isDue { continuation.resume() }
        }
    }
}

/// One answer for one who asked; the first settlement counts.
private final class Answer: Sendable {
    private struct State {
        var result: Result<ServedImage, any Error>?
        var continuation: UnsafeContinuation<ServedImage, any Error>?
    }

    private let state = Mutex(State())

    func settle(_ result: Result<ServedImage, any Error>) {
        let waiting: UnsafeContinuation<ServedImage, any Error>? = state.withLock { state in
            guard state.result == nil else { return nil }
            state.result = result
            defer { state.continuation = nil }
            return state.continuation
        }
        waiting?.resume(with: result)
    }

    func value() async throws -> ServedImage {
        try await withUnsafeThrowingContinuation { continuation in
            let result = state.withLock { state in
                if state.result == nil { state.continuation = continuation }
                return state.result
            }
            if let result { continuation.resume(with: result) }
        }
    }
}
