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
    func deliver(_ head: OutboxHead) async {
        await attempt(head)
        inFlight.remove(head.sequence)
        declareMemory()
        wake.raise()
    }

    private func attempt(_ head: OutboxHead) async {
        let row: OutboxRow
        do {
            // Another one under its number need not be the first of its entity.
            guard let stored = try self.row(head.sequence),
                stored.idempotencyKey == head.idempotencyKey,
                stored.theirs ?? .zero <= environment.clock.now
            else { return }
            row = stored
        } catch {
            return postpone(head.sequence, error)
        }
        if row.mayHaveActed, let sent = row.firstSent,
            sent.age(by: environment.clock) >= configuration.keyLifetime
        {
            switch configuration.whenKeyMayHaveExpired {
            case .resend:
                break
            case .deadLetter:
                _ = await durably { try bury(row, .keyExpired, mayHaveActed: true) }
                return
            case .check(let tookEffect):
                return await check(row, tookEffect)
            }
        }
        await send(row)
    }

    private func send(_ row: OutboxRow) async {
        guard let url = URL(string: row.intent.path, relativeTo: configuration.server) else {
            _ = await durably { try bury(row, .unsendable, mayHaveActed: row.mayHaveActed) }
            return
        }
        var row = row
        do {
            let claim = ProcessClaim(environment, for: store.attemptLimit)
            let isOurs = try store.connection.transaction {
                try store.markInFlight(row, at: StoredInstant(environment.clock), claim: claim)
            }
            // Another process was faster.
            guard isOurs else { return }
            row.attempts += 1
        } catch {
            // Not sent: what is not marked could be collapsed or lose its key's age.
            return postpone(row.sequence, error)
        }
        observer?(.sending(identity: row.intent.identity, attempt: row.attempts))
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
                    row,
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
        var isOurs = false
        let isDone = await durably {
            isOurs = try store.connection.transaction {
                guard try store.remove(row) else { return false }
                try storeBudget(ifNot: before)
                try configuration.settle?(settlement, store.connection)
                return true
            }
        }
        guard isDone else { return }
        isProbing = false
        failing.removeAll()
        waits[row.sequence] = nil
        // Else another process has told its end.
        guard isOurs else { return }
        observer?(.acknowledged(identity: row.intent.identity, status: status))
    }

    private func fail(_ row: OutboxRow, _ failure: AttemptFailure, status: Int?) async {
        let now = environment.clock.now
        let kind = failure.kind
        var record = OutboxFailureRecord(
            sequence: row.sequence,
            idempotencyKey: row.idempotencyKey,
            attempts: row.attempts,
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
                        row,
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
        var isOurs = false
        let isStored = await durably {
            isOurs = try store.connection.transaction {
                let boot = environment.clock.bootIdentifier
                let isRecorded = try store.recordFailure(record, boot: boot)
                try storeBudget(ifNot: before)
                if record.pausedUntil != nil {
                    try store.setState(
                        "paused_until_ns",
                        pausedUntil.nanosecondsRounded,
                        boot: boot
                    )
                }
                return isRecorded
            }
        }
        guard isStored, isOurs else { return }
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
        var isOurs = false
        let isRenewed = await durably {
            isOurs = try store.connection.transaction {
                guard try store.holds(row) else { return false }
                try store.renewKey(row.sequence, key)
                return true
            }
        }
        guard isRenewed, isOurs, let renewed = try? self.row(row.sequence) else { return }
        await send(renewed)
    }

    /// Gives an intent up, in one transaction with what the app makes of it, unless another process has it by now.
    ///
    /// A nil `mayHaveActed` leaves it as the row has it.
    func bury(
        _ row: OutboxRow,
        _ reason: OutboxDeadLetter.Reason,
        mayHaveActed: Bool? = nil
    ) throws {
        let mayHaveActed = mayHaveActed ?? row.mayHaveActed
        let settlement = OutboxSettlement(
            identity: row.intent.identity,
            outcome: .deadLettered(reason, mayHaveTakenEffect: mayHaveActed)
        )
        let isOurs = try store.connection.transaction {
            guard try store.holds(row) else { return false }
            try store.bury(row.sequence, reason, mayHaveActed: mayHaveActed)
            try configuration.settle?(settlement, store.connection)
            return true
        }
        waits[row.sequence] = nil
        guard isOurs else { return }
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
