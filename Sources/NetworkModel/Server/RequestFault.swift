/// What the server's session does about a request that a fault has struck.
enum RequestFault {
    /// The request is not read, and the connection breaks.
    case discarded
    /// The body is cut on its way.
    case cut(RequestCut)

    /// Whether nothing of the request is read.
    var isDiscarded: Bool {
        if case .discarded = self { true } else { false }
    }

    /// What of the next bytes of the body passes, and the cut behind it; nil when all of it passes.
    mutating func take(_ bytes: [UInt8]) -> (passing: [UInt8], cut: RequestCut)? {
        guard case .cut(var cut) = self else { return nil }
        defer { self = .cut(cut) }
        return cut.take(bytes).map { (Array($0), cut) }
    }
}

/// A request whose body is to be cut on its way: how much of it still passes, and what then happens.
struct RequestCut {
    var bytesLeft: Int
    /// Whether the connection breaks there; otherwise the server hears nothing more.
    let breaks: Bool
    let act: () -> Void

    /// What of the next bytes passes; nil when all of it does.
    mutating func take(_ bytes: [UInt8]) -> ArraySlice<UInt8>? {
        defer { bytesLeft -= bytes.count }
        return bytes.count < bytesLeft ? nil : bytes.prefix(bytesLeft)
    }
}

extension ExchangeInterception {
    /// Strikes request `number` as it is sent; what is left to do is the server's session's.
    ///
    /// `sever` lets packets vanish both ways. It is kept until the cut, which may come when the client's end
    /// of the connection is long gone: it must hold nothing of it.
    func strike(_ number: Int64, sever: @escaping () -> Void) -> RequestFault? {
        let isSilent = aftermath == .blackhole
        if case .requestBody(let bytes) = loss {
            let cut = RequestCut(bytesLeft: bytes, breaks: !isSilent) { [fired] in
                fired(number)
                if isSilent { sever() }
            }
            return .cut(cut)
        }
        if isSilent { sever() }
        fired(number)
        return isSilent ? nil : .discarded
    }
}
