import Foundation
import Quantities
import Synchronization

/// From a key to a bitmap: disk, server, decoder; between any two steps it can be given up.
extension ImageCache {
    /// Produces the picture of `key`, once for all who wait for it.
    func produce(_ key: ImageKey) async throws -> ServedImage {
        // Somebody may have produced it while this was queued.
        if let image = cached(key) { return ServedImage(image: image, source: .memory) }
        let address = configuration.variant?(key) ?? key.source
        let now = environment.clock.now
        let refusal = state.withLock {
            $0.refusals.status(of: address.absoluteString, at: now)
        }
        if let refusal { throw ImageError.refused(status: refusal) }
        let stored = await disk.read(address.absoluteString)
        try Task.checkCancellation()
        if let stored, stored.isFresh(at: wallMilliseconds) {
            do {
                return try await decoded(stored.encoded, for: key, from: .disk)
            } catch let error where isOfTheFile(error) {
                // What is on disk cannot be shown: once more from the server.
                await disk.remove(address.absoluteString)
            }
            return try await fetched(key, at: address, stored: nil)
        }
        return try await fetched(key, at: address, stored: stored)
    }

    private var wallMilliseconds: Int64 {
        Int64((environment.clock.wallTime.timeIntervalSince1970 * 1_000).rounded())
    }

    private func isOfTheFile(_ error: any Error) -> Bool {
        !(error is CancellationError || error is URLError) && error as? ImageError != .deferred
    }

    // MARK: The server

    private func fetched(
        _ key: ImageKey,
        at address: URL,
        stored: StoredImage?
    ) async throws -> ServedImage {
        let response: ScheduledResponse
        do {
            response = try await answer(for: key, at: address, stored: stored)
        } catch let error as URLError where error.code != .cancelled {
            guard let stored else { throw error }
            observer?(.servedStale)
            return try await decoded(stored.encoded, for: key, from: .disk)
        }
        if response.status == 304, var stored {
            observer?(.revalidated)
            stored.checkedAt = wallMilliseconds
            stored.lifetime = lifetime(of: response)
            await disk.write(stored)
            return try await decoded(stored.encoded, for: key, from: .disk)
        }
        guard response.status == 200 else {
            return try await refused(response.status, key, address, stored)
        }
        let encoded = response.body
        if let announced = response[header: "Content-Length"].flatMap({ Int($0) }) {
            guard announced == encoded.count else { throw ImageError.truncated }
        }
        guard (try? decoder.measure(encoded)) != nil else { throw ImageError.undecodable }
        await disk.write(
            StoredImage(
                address: address.absoluteString,
                validator: response[header: "ETag"] ?? "",
                checkedAt: wallMilliseconds,
                lifetime: lifetime(of: response),
                encoded: encoded
            )
        )
        do {
            return try await decoded(encoded, for: key, from: .network)
        } catch let error where isOfTheFile(error) {
            await disk.remove(address.absoluteString)
            throw error
        }
    }

    /// What the server answers once it may be asked: never earlier than it said by Retry-After.
    ///
    /// With a stale file at hand nobody waits for that: its answer, 503 or 429, is returned at once.
    private func answer(
        for key: ImageKey,
        at address: URL,
        stored: StoredImage?
    ) async throws -> ScheduledResponse {
        let clock = environment.clock
        let end = clock.now + configuration.patience
        while true {
            let until = pause.until
            guard until > clock.now else {
                let response = try await ask(for: key, at: address, stored: stored)
                guard response.status == 503 || response.status == 429,
                    let asked = RetryAfter.wait(askedBy: response, wallTime: clock.wallTime),
                    asked > .zero
                else { return response }
                pause.extend(until: clock.now + asked, status: response.status)
                continue
            }
            guard stored == nil, until <= end else {
                return ScheduledResponse(status: pause.status, headers: [], body: Data())
            }
            // Chance is added, or all who were told the same instant would come back in it.
            let spread = environment.random.duration(upTo: configuration.spread)
            try await clock.sleep(until: until + spread)
        }
    }

    private func ask(
        for key: ImageKey,
        at address: URL,
        stored: StoredImage?
    ) async throws -> ScheduledResponse {
        var request = HTTPRequest(
            method: "GET",
            url: address,
            headers: configuration.headers,
            idleTimeout: configuration.idleTimeout,
            purpose: "images"
        )
        if let stored, !stored.validator.isEmpty {
            request[header: "If-None-Match"] = stored.validator
        }
        // First known, then asked: a promotion in between finds one or the other.
        state.withLock { $0.requests[key] = request }
        defer { state.withLock { $0.requests[key] = nil } }
        return try await scheduler.send(request, tier: work.tier(of: key) ?? .prefetch)
    }

    /// Anything but a picture or "not modified".
    private func refused(
        _ status: Int,
        _ key: ImageKey,
        _ address: URL,
        _ stored: StoredImage?
    ) async throws -> ServedImage {
        if status == 404 || status == 410 {
            await disk.remove(address.absoluteString)
            let until = environment.clock.now + configuration.refusalsLast
            state.withLock {
                $0.refusals.remember(address.absoluteString, status: status, until: until)
            }
        } else if let stored, status >= 500 || status == 429 {
            observer?(.servedStale)
            return try await decoded(stored.encoded, for: key, from: .disk)
        }
        throw ImageError.refused(status: status)
    }

    /// `max-age` of `Cache-Control` (RFC 9111, 5.2.2.1) in milliseconds, zero for `no-cache`, or the default.
    private func lifetime(of response: ScheduledResponse) -> Int64 {
        let directives = (response[header: "Cache-Control"] ?? "").lowercased()
            .split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        if directives.contains("no-cache") { return 0 }
        for directive in directives where directive.hasPrefix("max-age=") {
            if let seconds = Int64(directive.dropFirst("max-age=".count)) {
                return min(max(0, seconds), 1 << 40) * 1_000
            }
        }
        return configuration.freshFor.nanosecondsRounded / 1_000_000
    }

    // MARK: The decoder

    private func decoded(
        _ encoded: Data,
        for key: ImageKey,
        from source: ServedImage.Source
    ) async throws -> ServedImage {
        try Task.checkCancellation()
        let plan = ImageDecodePlan(
            source: try decoder.measure(encoded),
            target: key.size,
            transforms: key.transforms
        )
        let work = work
        let tier: @Sendable () -> RequestTier = { work.tier(of: key) ?? .background }
        let image = try await gate.admit(plan.size.bitmapBytes, tier: tier) {
            let now = environment.clock.now
            let decodesAhead = state.withLock { $0.allowance.decodesAhead(at: now) }
            guard tier() >= .visible || decodesAhead else { throw ImageError.deferred }
            return try await decoder.decode(encoded, plan: plan)
        }
        keep(image, for: key)
        return ServedImage(image: image, source: source)
    }
}
