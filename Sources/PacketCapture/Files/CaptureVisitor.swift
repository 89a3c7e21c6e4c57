/// One frame as it lies in a capture.
///
/// `bytes` are valid only during the call that hands it over.
package struct CapturedFrame {
    /// The interface, counted from zero over all sections of the file.
    package var interface: Int
    /// The link type, a number of the tcpdump.org registry.
    package var linkType: LinkType
    /// Nanoseconds since 1970, or since the clock of the writer began.
    package var nanoseconds: Int64
    /// What was captured.
    package var bytes: UnsafeRawBufferPointer
    /// How long the frame was on the link; not less than what was captured.
    package var originalLength: Int
    /// The direction, if the file says it.
    package var direction: FrameDirection?

    /// Makes a frame.
    package init(
        interface: Int,
        linkType: LinkType,
        nanoseconds: Int64,
        bytes: UnsafeRawBufferPointer,
        originalLength: Int,
        direction: FrameDirection? = nil
    ) {
        self.interface = interface
        self.linkType = linkType
        self.nanoseconds = nanoseconds
        self.bytes = bytes
        self.originalLength = max(originalLength, bytes.count)
        self.direction = direction
    }
}

/// Whether a frame went out of the capturing machine or came in.
package enum FrameDirection: Sendable {
    case inbound
    case outbound
}

/// Is told what a capture holds, in the order of the file.
package protocol CaptureVisitor: AnyObject {
    /// A frame.
    func visit(_ frame: CapturedFrame)
    /// An interface's name; interfaces of classic captures have none.
    func visitInterface(_ index: Int, name: String, description: String, linkType: LinkType)
    /// A name for an address, as name resolution blocks have it.
    func visitName(_ name: String, of address: IPAddress)
    /// When capturing on an interface began and ended, where the file says so.
    func visitSpan(ofInterface index: Int, start: Int64?, end: Int64?)
    /// A comment on a frame, an interface or the file.
    func visitComment(_ text: String)
    /// How far the file has been read, for progress.
    func visitProgress(bytes: Int64)
}

extension CaptureVisitor {
    /// Nothing by default.
    package func visitInterface(
        _ index: Int,
        name: String,
        description: String,
        linkType: LinkType
    ) {}
    /// Nothing by default.
    package func visitName(_ name: String, of address: IPAddress) {}
    /// Nothing by default.
    package func visitSpan(ofInterface index: Int, start: Int64?, end: Int64?) {}
    /// Nothing by default.
    package func visitComment(_ text: String) {}
    /// Nothing by default.
    package func visitProgress(bytes: Int64) {}
}
