import ClientModules
import Foundation
import Testing

@Suite struct FailureClassTests {
    struct StatusCase: Sendable, CustomStringConvertible {
        var status: Int
        var kind: FailureClass?
        var description: String { "\(status)" }
    }

    // RFC 9110, 15; 425: RFC 8470; 429, 511: RFC 6585. The class says whether the server can have
    // acted and whether the same request can do better.
    static let statuses: [StatusCase] = [
        .init(status: 200, kind: nil), .init(status: 201, kind: nil),
        .init(status: 204, kind: nil), .init(status: 299, kind: nil),
        .init(status: 302, kind: .connectFail), .init(status: 307, kind: .connectFail),
        .init(status: 400, kind: .client), .init(status: 401, kind: .client),
        .init(status: 403, kind: .client), .init(status: 404, kind: .client),
        .init(status: 408, kind: .throttle), .init(status: 409, kind: .client),
        .init(status: 413, kind: .client), .init(status: 421, kind: .connectFail),
        .init(status: 422, kind: .client), .init(status: 425, kind: .throttle),
        .init(status: 429, kind: .throttle), .init(status: 500, kind: .server),
        .init(status: 501, kind: .client), .init(status: 502, kind: .server),
        .init(status: 503, kind: .throttle), .init(status: 504, kind: .server),
        .init(status: 505, kind: .client), .init(status: 507, kind: .server),
        .init(status: 511, kind: .connectFail),
    ]

    @Test(arguments: statuses)
    func `a status has the class of what it says about the request`(_ example: StatusCase) {
        #expect(FailureClass(status: example.status) == example.kind)
    }

    struct ErrorCase: Sendable {
        var codes: [URLError.Code]
        var kind: FailureClass
    }

    static let errors: [ErrorCase] = [
        .init(
            codes: [.notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff],
            kind: .offline
        ),
        .init(
            codes: [
                .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .secureConnectionFailed,
                .serverCertificateUntrusted,
            ],
            kind: .connectFail
        ),
        .init(
            codes: [.timedOut, .networkConnectionLost, .badServerResponse, .unknown],
            kind: .ambiguous
        ),
        .init(codes: [.cancelled], kind: .cancelled),
        .init(codes: [.badURL, .unsupportedURL, .fileDoesNotExist], kind: .client),
    ]

    @Test(arguments: errors)
    func `an error has the class of what can have happened`(_ example: ErrorCase) {
        for code in example.codes {
            #expect(FailureClass(URLError(code)) == example.kind, "\(code)")
        }
    }

    @Test func `what is thrown besides is a cancellation or unknown`() {
        struct Odd: Error {}
        #expect(FailureClass(thrown: CancellationError()) == .cancelled)
        #expect(FailureClass(thrown: URLError(.timedOut)) == .ambiguous)
        #expect(FailureClass(thrown: Odd()) == .ambiguous)
    }

    @Test func `only a failure after which the server can have acted says so`() {
        #expect(
            FailureClass.allCases.filter(\.mayHaveActed) == [.ambiguous, .server, .cancelled]
        )
        #expect(
            FailureClass.allCases.filter(\.isTransient)
                == [.offline, .connectFail, .ambiguous, .throttle, .server]
        )
        #expect(
            FailureClass.allCases.filter(\.isOfThePath) == [.offline, .connectFail, .ambiguous]
        )
    }
}
