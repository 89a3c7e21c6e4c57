import Quantities

/// All that the lab can see of a run.
///
/// Judgement starts from this alone.
///
/// The enum is closed: a new case makes the compiler list every place that has to handle it.
/// Reports never print header values, query strings or bodies, and neither do these.
package enum Observation: Equatable, Sendable {
    // The process and the phone.
    case processLaunched(ProcessLabel, LaunchCause)
    case processEnded(ProcessLabel, ExitCause)
    case appStateChanged(AppState)
    case deviceWoke(WakeCause)
    case memoryChanged(MemoryUse)
    case energyDrawn(EnergyEntry)
    case system(SystemEvent)

    // The radio: intervals are reported when they close.
    case radioInterval(RadioInterval)
    case pathChanged(PathChange)

    // The network, as the phone's modem sees it.
    case packet(PacketCrossing)
    case packetLost(PacketLoss)
    case connectionOpened(ConnectionOpening)
    case connectionClosed(connection: Int64, ConnectionEnd)
    case requestStarted(RequestStart)
    case requestEnded(RequestEnd)
    case responseDiscarded(request: Int64, ByteCount)

    // A stream of events from the server.
    case live(LiveEvent)

    // The disk.
    case diskWritten(file: String, ByteCount)
    case diskSynced(file: String)
    case diskUsed(ByteCount)
    case committed(database: String)

    // The person and what they were promised.
    case actionStarted(UserAction)
    case actionPromised(action: Int64)
    case actionRefused(action: Int64, reason: String, saysUndone: Bool = false)
    case actionSettled(action: Int64, ActionOutcome)
    case userWaited(Duration)

    // Uploads, as the app shows them.
    case uploadProgress(action: Int64, shown: ByteCount)

    // What the screen shows.
    case imageServed(ImageServing)
    case imageDecoded(ByteCount)
    case bitmapsHeld(ByteCount)
    case framesDropped(count: Int, hitch: Duration)

    // The server's truth.
    case serverRequest(ServerRequestNote)
    case serverEffect(ServerEffect)
    case serverUpload(ServerUploadEvent)
    case protocolViolation(ProtocolViolation)

    // What was done to them.
    case fault(index: Int, FaultEvent)
    case settleBegan
    /// At the end of the run: what a launch that lives waits for, in words.
    case stillWaiting(ProcessLabel, String)

    // A user's own.
    case measured(name: String, value: Double)
    case guaranteeBroken(name: String, message: String, subject: String = "")
    case logged(ProcessLabel, String)
}
