import Foundation
import SQLiteStore

extension ChunkedUploader {
    /// Takes one upload as far as it goes now: to its end, or to its next wait.
    func drive(_ sequence: Int64) async {
        await advance(sequence)
        inFlight.remove(sequence)
        gauges[sequence] = nil
        declareMemory()
        wake.raise()
    }

    private func advance(_ sequence: Int64) async {
        do {
            guard try take(sequence), let row = try store.row(sequence) else { return }
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await self.keepClaim(sequence) }
                defer { group.cancelAll() }
                await advance(row)
            }
        } catch {
            postpone(sequence, error)
        }
    }

    private func advance(_ row: UploadRow) async {
        var session = sessions.removeValue(forKey: row.sequence) ?? resume(row)
        if await advance(&session) { sessions[row.sequence] = session }
    }

    private func resume(_ row: UploadRow) -> UploadSession {
        UploadSession(
            row: row,
            progress: UploadProgress(
                length: row.source.size,
                location: row.location,
                recreations: row.recreations,
                mayBeCreated: !promisedNow.contains(row.sequence),
                failures: row.failures
            )
        )
    }

    /// Takes action after action; false when the upload has come to its end.
    private func advance(_ session: inout UploadSession) async -> Bool {
        let sequence = session.row.sequence
        var wasRefused = false
        if session.progress.offset == nil, session.row.location != nil {
            // Whatever came of what the system has in hand: then the server is asked.
            await awaitEarlierTransfer(of: session.row)
        }
        while !Task.isCancelled {
            let action = session.progress.nextAction(chunk: most(of: session.row.source.size))
            guard action != .finish else { return await finish(sequence, nil) }
            let step = await take(action, of: &session, wasRefused: wasRefused)
            // Taken back in the meantime: there is nothing left to record.
            guard let step, isWanted(sequence) else { return false }
            wasRefused = false
            switch step {
            case .proceed:
                continue
            case .authorize:
                guard configuration.authorize != nil else {
                    return await finish(sequence, .rejected(status: 401))
                }
                wasRefused = true
            case .recreate:
                guard await recreate(&session) else { return false }
            case .retry(let failure):
                await postpone(session, failure)
                return true
            case .fail(let failure):
                return await finish(sequence, failure)
            }
        }
        return false
    }

    /// Most bytes of a file of `size` that the next request may carry.
    private func most(of size: Int64) -> Int64 {
        guard transfers != nil else { return sizer.next }
        return min(size, pieces?.next ?? size, sizer.serverLimit ?? size)
    }

    /// Carries an action out and lets the state machine judge the answer; nil when the task was cancelled.
    private func take(
        _ action: UploadAction,
        of session: inout UploadSession,
        wasRefused: Bool
    ) async -> UploadStep? {
        if let obstacle = look(at: &session, before: action) { return obstacle }
        let clock = environment.clock
        let started = clock.now
        let answer = await exchange(action, of: &session, wasRefused: wasRefused)
        let confirmed = session.progress.confirmed
        let step: UploadStep
        switch answer {
        case .taskCancelled:
            return nil
        case .error(let kind):
            if case .append(let range) = action { session.brokenAt = range.lowerBound }
            return session.progress.takeError(kind)
        case .outOfTime:
            // It was not the line that broke: the size is known to be wrong already.
            return session.progress.takeError(.ambiguous)
        case .response(let response):
            step = session.progress.take(
                response,
                to: action,
                endpoint: configuration.endpoint,
                retryAfter: RetryAfter.wait(askedBy: response, wallTime: clock.wallTime),
                sizer: &sizer
            )
        }
        await learn(
            from: action,
            of: &session,
            confirmedBefore: confirmed,
            span: clock.now - started
        )
        return step
    }

    /// Looks whether the file is still the promised one; nil when nothing stands in the way.
    ///
    /// A question needs no file: what the server has whole is finished, even if the file is gone.
    private func look(
        at session: inout UploadSession,
        before action: UploadAction
    ) -> UploadStep? {
        guard action != .query else { return nil }
        do {
            guard let found = try environment.files.metadata(of: session.row.file) else {
                return .fail(.sourceUnavailable)
            }
            return found == session.row.source ? nil : .fail(.sourceChanged)
        } catch {
            // A locked device, or a failing one: the file may be there again later.
            return session.progress.takeSourceError()
        }
    }

    /// Draws the conclusions of an answer: rate, progress, the address to keep.
    private func learn(
        from action: UploadAction,
        of session: inout UploadSession,
        confirmedBefore: Int64,
        span: Duration
    ) async {
        let identity = session.row.identity
        let gained = session.progress.confirmed - confirmedBefore
        switch action {
        case .create:
            guard let location = session.progress.location else { return }
            let sequence = session.row.sequence
            let isKept = await durably {
                try store.connection.transaction {
                    try store.setLocation(
                        sequence,
                        location,
                        owner: storedOwner,
                        claim: ownClaim
                    )
                }
            }
            if isKept { observer?(.created(identity: identity)) }
        case .query:
            guard let offset = session.progress.offset else { return }
            if session.brokenAt == offset {
                sizer.lost()
                pieces?.lost()
            }
            session.brokenAt = nil
        case .append:
            guard gained > 0 else { break }
            budget?.deposit()
            // What the system took its time for is no measure of the line, but a bound of it.
            if transfers == nil {
                sizer.committed(gained, in: span)
            } else {
                await takePiece(of: gained, in: span)
            }
        case .finish:
            break
        }
        guard gained > 0 else { return }
        waits[session.row.sequence] = nil
        observer?(
            .progress(
                identity: identity,
                committed: session.progress.confirmed,
                total: session.progress.length
            )
        )
    }

    private func recreate(_ session: inout UploadSession) async -> Bool {
        let sequence = session.row.sequence
        let key = environment.random.identifier()
        let isKept = await durably {
            try store.connection.transaction {
                try store.recreate(sequence, key: key, owner: storedOwner)
            }
        }
        guard isKept else { return false }
        session.row.creationKey = key
        session.row.location = nil
        session.progress.recreate()
        observer?(.restarted(identity: session.row.identity))
        return true
    }

    /// Whether the upload was not taken back, by its person or another process; one that cannot be looked up counts
    /// as wanted.
    private func isWanted(_ sequence: Int64) -> Bool {
        do {
            return try store.row(sequence) != nil && keeps(sequence)
        } catch {
            return true
        }
    }

    private func finish(_ sequence: Int64, _ failure: UploadFailure?) async -> Bool {
        _ = await durably { try end(sequence, failure) }
        return false
    }

    /// Ends an upload in one transaction with what the app makes of it, then tells the observer.
    func end(_ sequence: Int64, _ failure: UploadFailure?) throws {
        let ended = try store.connection.transaction {
            // Another process that has it now will end it.
            guard let row = try store.row(sequence), try !isOfOther(sequence) else {
                return nil as UploadRow?
            }
            let settlement = UploadSettlement(
                identity: row.identity,
                location: row.location,
                failure: failure
            )
            try store.end(sequence, failure)
            try storeBudget()
            try configuration.settle?(settlement, store.connection)
            return row
        }
        waits[sequence] = nil
        guard let row = ended else { return }
        if let failure {
            observer?(.failed(identity: row.identity, failure))
        } else {
            observer?(.finished(identity: row.identity))
        }
        try store.connection.transaction { try store.setAnnounced(sequence) }
    }

    private func postpone(_ session: UploadSession, _ failure: AttemptFailure) async {
        let now = environment.clock.now
        let sequence = session.row.sequence
        let failures = max(1, session.progress.failures)
        var wait = configuration.retry.wait(
            beforeRetry: failures,
            asked: failure.retryAfter,
            random: environment.random
        )
        if failure.retryAfter != nil { pausedUntil = max(pausedUntil, now + wait) }
        if failure.kind != .offline, budget != nil, budget?.spend() == false {
            // Never give up for that: what was promised is tried at the slowest pace.
            let half = configuration.retry.ceiling / 2
            wait = max(wait, half + environment.random.duration(upTo: half))
            pausedUntil = max(pausedUntil, now + wait)
        }
        waits[sequence] = RetryWait(dueAt: now + wait, kind: failure.kind)
        let isPause = pausedUntil == now + wait
        let isKept = await durably {
            try store.connection.transaction {
                try store.recordFailure(
                    sequence,
                    failures: failures,
                    dueAt: now + wait,
                    wait: wait,
                    boot: environment.clock.bootIdentifier,
                    owner: storedOwner
                )
                if isPause {
                    try store.setState(
                        "paused_until_ns",
                        pausedUntil.nanosecondsRounded,
                        boot: environment.clock.bootIdentifier
                    )
                }
                try storeBudget()
            }
        }
        guard isKept else { return }
        observer?(.willRetry(identity: session.row.identity, after: wait, failure.kind))
    }

    private func storeBudget() throws {
        guard let budget else { return }
        let stored = try store.state("budget_millionths")
        if stored != budget.storableMillionths {
            try store.setState("budget_millionths", budget.storableMillionths)
        }
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

/// One upload while it is being driven.
struct UploadSession: Sendable {
    var row: UploadRow
    var progress: UploadProgress
    /// Where a chunk broke off; nil once the server told what it kept.
    var brokenAt: Int64?
}
