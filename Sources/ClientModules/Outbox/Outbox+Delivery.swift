import Foundation
import SQLiteStore

extension Outbox {
    /// What an exchange brought.
    private enum Answer: Sendable {
        case status(Int, Data, retryAfter: Duration?)
        case error(FailureClass)
        case taskCancelled
    }

    /// Makes one attempt at an intent and records how it ended.
    func deliver(_ sequence: Int64) async {
        await attempt(sequence)
        inFlight.remove(sequence)
        declareMemory()
        wake.raise()
    }

    private func attempt(_ sequence: Int64) async {
        let row: OutboxRow
        do {
            guard let stored = try store.row(sequence) else { return }
            row = stored
        } catch {
            return postpone(sequence, error)
        }
        if row.mayHaveActed, let sent = row.firstSent,
            sent.age(by: environment.clock) >= configuration.keyLifetime
        {
            switch configuration.whenKeyMayHaveExpired {
            case .resend:
                break
            case .deadLetter:
                _ = await durably { try bury(sequence, .keyExpired, mayHaveActed: true) }
                return
            case .check(let tookEffect):
                return await check(row, tookEffect)
            }
        }
        await send(row)
    }

    private func send(_ row: OutboxRow) async {
        guard let url = URL(string: row.intent.path, relativeTo: configuration.server) else {
            _ = await durably {
                try bury(row.sequence, .unsendable, mayHaveActed: row.mayHaveActed)
            }
            return
        }
        do {
            try store.connection.transaction {
                try store.markInFlight(row, at: StoredInstant(environment.clock))
            }
        } catch {
            // Not sent: what is not marked could be collapsed or lose its key's age.
            return postpone(row.sequence, error)
        }
        observer?(.sending(identity: row.intent.identity, attempt: row.attempts + 1))
        let request = HTTPRequest(
            method: row.intent.method,
            url: url.absoluteURL,
            headers: [
                HTTPHeader("Content-Type", row.intent.contentType),
                HTTPHeader("Idempotency-Key", "\"\(row.idempotencyKey)\""),
            ],
            purpose: "outbox"
        )
        var answer = await exchange(request, row.intent.body, wasRefused: false)
        if case .status(401, _, _) = answer, configuration.authorize != nil {
            answer = await exchange(request, row.intent.body, wasRefused: true)
        }
        switch answer {
        case .taskCancelled:
            return  // Stays in flight in the database; the next run takes it back.
        case .error(let kind):
            await fail(row, AttemptFailure(kind), status: nil)
        case .status(let status, let body, let retryAfter):
            await settle(row, status: status, body: body, retryAfter: retryAfter)
        }
    }

    private func exchange(_ request: HTTPRequest, _ body: Data, wasRefused: Bool) async -> Answer {
        let clock = environment.clock
        let limit = configuration.responseLimit
        let isFromServer = configuration.isFromServer
        var authorized = request
        do {
            if let authorize = configuration.authorize {
                authorized = try await authorize(request, wasRefused)
            }
        } catch {
            return Task.isCancelled ? .taskCancelled : .error(.connectFail)
        }
        let exchange = TimedExchange(transport: environment.transport, clock: clock)
        do {
            return try await exchange.send(
                authorized,
                body: .data(body),
                deadline: configuration.retry.attemptTimeout.map { clock.now + $0 }
            ) { response in
                guard isFromServer?(response.status, response.headers) ?? true else {
                    return .error(.connectFail)
                }
                let retryAfter = RetryAfter.wait(askedBy: response, wallTime: clock.wallTime)
                // The head is the acknowledgement: a body that breaks off takes nothing back.
                let read = try? await response.prefix(limit)
                return .status(response.status, read ?? Data(), retryAfter: retryAfter)
            }
        } catch {
            guard !Task.isCancelled else { return .taskCancelled }
            let kind = FailureClass(thrown: error)
            // Cancelled by somebody else, such as the system: nothing says that it did not arrive.
            return .error(kind == .cancelled ? .ambiguous : kind)
        }
    }

    private func settle(
        _ row: OutboxRow,
        status: Int,
        body: Data,
        retryAfter: Duration?
    ) async {
        guard let kind = FailureClass(status: status) else {
            return await acknowledge(row, status: status, body: body)
        }
        if status == 409 {
            // The first request with this key is still running: the same one again, later.
            return await fail(
                row,
                AttemptFailure(.server, retryAfter: retryAfter),
                status: status
            )
        }
        guard kind.isTransient else {
            // This attempt did nothing; of an earlier one that no answer came to, it says nothing.
            _ = await durably {
                try bury(
                    row.sequence,
                    .refused(status: status),
                    mayHaveActed: row.mayHaveActed
                )
            }
            return
        }
        await fail(row, AttemptFailure(kind, retryAfter: retryAfter), status: status)
    }

    private func acknowledge(_ row: OutboxRow, status: Int, body: Data) async {
        let before = budget?.storableMillionths
        budget?.deposit()
        let settlement = OutboxSettlement(
            identity: row.intent.identity,
            outcome: .acknowledged(status: status, body: body)
        )
        let isDone = await durably {
            try store.connection.transaction {
                try store.remove(row.sequence)
                try storeBudget(ifNot: before)
                try configuration.settle?(settlement, store.connection)
            }
        }
        guard isDone else { return }
        isProbing = false
        failing.removeAll()
        waits[row.sequence] = nil
        observer?(.acknowledged(identity: row.intent.identity, status: status))
    }

    private func fail(_ row: OutboxRow, _ failure: AttemptFailure, status: Int?) async {
        let now = environment.clock.now
        let kind = failure.kind
        var record = OutboxFailureRecord(
            sequence: row.sequence,
            failures: row.failures + 1,
            refusals: row.refusals,
            mayHaveActed: row.mayHaveActed || kind.mayHaveActed,
            dueAt: now
        )
        if kind == .server {
            failing.insert(row.sequence)
            // Others fail too: the server is ill, and this intent need not be what ails it.
            if failing.count == 1 { record.refusals += 1 }
            if record.refusals >= configuration.poisonAfter {
                failing.remove(row.sequence)
                _ = await durably {
                    try bury(
                        row.sequence,
                        .poison(status: status ?? 0),
                        mayHaveActed: record.mayHaveActed
                    )
                }
                return
            }
        }
        let before = budget?.storableMillionths
        var wait = configuration.retry.wait(
            beforeRetry: record.failures,
            asked: failure.retryAfter,
            random: environment.random
        )
        if failure.retryAfter != nil { record.pausedUntil = now + wait }
        if kind != .offline, budget != nil, budget?.spend() == false {
            // Never give up for that: what was promised is tried at the slowest pace, one at a time.
            let half = configuration.retry.ceiling / 2
            wait = max(wait, half + environment.random.duration(upTo: half))
            record.pausedUntil = now + wait
        }
        record.dueAt = now + wait
        record.wait = wait
        isProbing = isProbing || kind != .offline
        waits[row.sequence] = RetryWait(dueAt: record.dueAt, kind: kind)
        if let until = record.pausedUntil { pausedUntil = max(pausedUntil, until) }
        let isStored = await durably {
            try store.connection.transaction {
                let boot = environment.clock.bootIdentifier
                try store.recordFailure(record, boot: boot)
                try storeBudget(ifNot: before)
                if record.pausedUntil != nil {
                    try store.setState(
                        "paused_until_ns",
                        pausedUntil.nanosecondsRounded,
                        boot: boot
                    )
                }
            }
        }
        guard isStored else { return }
        observer?(.willRetry(identity: row.intent.identity, after: wait, kind))
    }

    private func check(
        _ row: OutboxRow,
        _ tookEffect: @Sendable (OutboxIntent) async throws -> Bool
    ) async {
        do {
            if try await tookEffect(row.intent) {
                return await acknowledge(row, status: 200, body: Data())
            }
        } catch {
            guard !Task.isCancelled else { return }
            return await fail(row, AttemptFailure(.connectFail), status: nil)
        }
        // It did not: the old key is worth nothing, and a new one begins a new life.
        let key = environment.random.identifier()
        let isRenewed = await durably {
            try store.connection.transaction { try store.renewKey(row.sequence, key) }
        }
        guard isRenewed, let renewed = try? store.row(row.sequence) else { return }
        await send(renewed)
    }

    /// Gives an intent up, in one transaction with what the app makes of it.
    ///
    /// A nil `mayHaveActed` leaves it as the row has it.
    func bury(
        _ sequence: Int64,
        _ reason: OutboxDeadLetter.Reason,
        mayHaveActed: Bool? = nil
    ) throws {
        guard let row = try store.row(sequence) else { return }
        let mayHaveActed = mayHaveActed ?? row.mayHaveActed
        let settlement = OutboxSettlement(
            identity: row.intent.identity,
            outcome: .deadLettered(reason, mayHaveTakenEffect: mayHaveActed)
        )
        try store.connection.transaction {
            try store.bury(sequence, reason, mayHaveActed: mayHaveActed)
            try configuration.settle?(settlement, store.connection)
        }
        waits[sequence] = nil
        observer?(
            .deadLettered(
                identity: row.intent.identity,
                reason,
                mayHaveTakenEffect: mayHaveActed
            )
        )
    }

    private func storeBudget(ifNot before: Int64?) throws {
        guard let now = budget?.storableMillionths, now != before else { return }
        try store.setState("budget_millionths", now)
    }

    private func postpone(_ sequence: Int64, _ error: any Error) {
        observer?(.storageFailed(description: "\(error)"))
        let wait = configuration.retry.wait(beforeRetry: 3, random: environment.random)
        waits[sequence] = RetryWait(
            dueAt: environment.clock.now + configuration.retry.base + wait,
            kind: .server
        )
    }
}

extension HTTPResponse {
    /// Pulls the body up to `limit` bytes and leaves the rest.
    func prefix(_ limit: Int) async throws -> Data {
        var read = Data()
        while read.count < limit, let chunk = try await nextChunk() {
            read.append(chunk.prefix(limit - read.count))
        }
        return read
    }
}
