import Quantities

/// Migration (RFC 9000, 9): another address of the phone, the same connection.
extension QUICEndpoint {
    /// The phone has another address now.
    ///
    /// With an open request the client speaks at once, so that the server learns where to send; an
    /// idle connection says nothing until its next request. The window and the round trip begin anew (9.4).
    func addressChanged() {
        guard isClient, !isOver else { return }
        guard settings.migrates, isConfirmed else { return end(.addressLost) }
        beginPath()
        challenge()
        speakOnNewPath()
    }

    /// There is a route again, and the system says so: an end that waits for answers speaks at once.
    func routeReturned() {
        guard isClient, !isOver else { return }
        owedChallenge = awaitedChallenge
        probeCount = 0
        speakOnNewPath()
    }

    private func speakOnNewPath() {
        guard user?.awaitsAnswers == true, withConnection({ $0.hasRoute }) else { return }
        // A PING makes it more than a probe: the server moves at once.
        pings[application.name.rawValue] = true
        probesLeft = 1
        sendPending()
    }

    /// The client speaks from another address: the server answers there, and asks whether it is real.
    func migrate(to address: Int32, received: Int) {
        self.address = address
        beginPath()
        isPathValidated = false
        pathReceived = received
        pathSent = 0
        challenge()
    }

    private func challenge() {
        challengeCount += 1
        awaitedChallenge = challengeCount
        owedChallenge = challengeCount
    }

    /// Nothing of the old path counts on the new one.
    private func beginPath() {
        path += 1
        bytesInFlight = 0
        probeCount = 0
        roundTrip = QUICRoundTrip(initial: times.initialRoundTrip)
        congestion = QUICCongestion(settings, now: now)
    }
}
