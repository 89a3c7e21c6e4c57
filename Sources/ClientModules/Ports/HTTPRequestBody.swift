import Foundation

/// What follows a request's head.
public enum HTTPRequestBody: Sendable, Equatable {
    /// Nothing.
    case none
    /// These bytes.
    case data(Data)
    /// These bytes of a file, read as they are sent and never held whole.
    case file(path: String, range: Range<Int64>)

    /// Bytes in the body.
    public var count: Int64 {
        switch self {
        case .none: 0
        case .data(let data): Int64(data.count)
        case .file(_, let range): range.upperBound - range.lowerBound
        }
    }
}
