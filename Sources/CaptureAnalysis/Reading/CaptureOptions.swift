import PacketCapture

/// How a capture is to be read.
package struct CaptureOptions: Sendable {
    /// Whose arithmetic.
    package var mode = AnalysisMode.exact
    /// The device's addresses; found in the capture if there are none.
    package var deviceAddresses: [IPAddress] = []
    /// Only packets of this app or process, where the capture names them.
    package var app: String?
    /// How many packets may stay in memory; more go to a temporary file.
    var packetsInMemory = PacketCollector.usualRun
    /// Is told how far reading has come, between 0 and 1; not part of any result.
    package var progress: @Sendable (Double) -> Void = { _ in }

    /// Makes the defaults.
    package init() {}
}
