import ClientModules
import Foundation
import Testing

@Suite struct UploadProgressTests {
    let endpoint: URL
    let location: URL

    init() throws {
        endpoint = try #require(URL(string: "https://up.example/files/"))
        location = try #require(URL(string: "https://up.example/files/u1"))
    }

    func made(_ length: Int64 = 100, recreations: Int = 0) -> UploadProgress {
        UploadProgress(length: length, location: location, recreations: recreations)
    }

    func answer(_ status: Int, offset: Int64? = nil, _ more: [HTTPHeader] = []) -> HTTPResponse {
        let headers = offset.map { [HTTPHeader("Upload-Offset", "\($0)")] } ?? []
        return HTTPResponse(status: status, headers: headers + more)
    }

    func take(
        _ progress: inout UploadProgress,
        _ response: HTTPResponse,
        to action: UploadAction,
        retryAfter: Duration? = nil
    ) -> UploadStep {
        var sizer = ChunkSizer()
        return progress.take(
            response,
            to: action,
            endpoint: endpoint,
            retryAfter: retryAfter,
            sizer: &sizer
        )
    }

    @Test func `a new upload is created, then sent from zero to its end`() {
        var progress = UploadProgress(length: 100)
        #expect(progress.nextAction(chunk: 60) == .create)
        progress.willCreate()
        let created = take(
            &progress,
            answer(201, [HTTPHeader("Location", "u1")]),
            to: .create
        )
        #expect(created == .proceed)
        #expect(progress.location == location)
        #expect(progress.nextAction(chunk: 60) == .append(0..<60))
        #expect(take(&progress, answer(204, offset: 60), to: .append(0..<60)) == .proceed)
        #expect(progress.nextAction(chunk: 60) == .append(60..<100))
        #expect(take(&progress, answer(204, offset: 100), to: .append(60..<100)) == .proceed)
        #expect(progress.nextAction(chunk: 60) == .finish)
        #expect(progress.confirmed == 100)
    }

    func answer(_ status: Int, _ more: [HTTPHeader]) -> HTTPResponse {
        answer(status, offset: nil, more)
    }

    @Test func `an empty file is finished by its creation`() {
        var progress = UploadProgress(length: 0)
        progress.willCreate()
        _ = take(&progress, answer(201, [HTTPHeader("Location", "u1")]), to: .create)
        #expect(progress.nextAction(chunk: 60) == .finish)
    }

    // A replayed 201 names an upload that may hold bytes already: ask before sending.
    @Test func `after a second request for the creation the offset is asked`() {
        var progress = UploadProgress(length: 100)
        progress.willCreate()
        #expect(progress.takeError(.ambiguous) == .retry(AttemptFailure(.ambiguous)))
        #expect(progress.nextAction(chunk: 60) == .create)
        progress.willCreate()
        _ = take(&progress, answer(201, [HTTPHeader("Location", "/files/u1")]), to: .create)
        #expect(progress.nextAction(chunk: 60) == .query)
        var relaunched = UploadProgress(length: 100, mayBeCreated: true)
        relaunched.willCreate()
        _ = take(&relaunched, answer(201, [HTTPHeader("Location", "u1")]), to: .create)
        #expect(relaunched.nextAction(chunk: 60) == .query)
    }

    @Test func `a launch asks first and goes on from the server's offset`() {
        var progress = made()
        #expect(progress.nextAction(chunk: 60) == .query)
        #expect(take(&progress, answer(200, offset: 37), to: .query) == .proceed)
        #expect(progress.nextAction(chunk: 60) == .append(37..<97))
    }

    @Test func `a broken chunk makes it ask again`() {
        var progress = made()
        _ = take(&progress, answer(200, offset: 0), to: .query)
        #expect(progress.takeError(.ambiguous) == .retry(AttemptFailure(.ambiguous)))
        #expect(progress.nextAction(chunk: 60) == .query)
    }

    struct AppendCase: Sendable, CustomStringConvertible {
        var status: Int
        var step: UploadStep
        var next: UploadAction
        var description: String { "\(status)" }
    }

    // After a chunk 0..<60 of 100 was answered so. 404 and 410 begin anew, 409 asks at once, 413
    // sends less (here 50, as the caller passes the sizer's choice), 423 keeps the address and waits.
    static let appends: [AppendCase] = [
        .init(status: 409, step: .proceed, next: .query),
        .init(status: 404, step: .recreate, next: .append(0..<50)),
        .init(status: 410, step: .recreate, next: .append(0..<50)),
        .init(status: 460, step: .proceed, next: .append(0..<50)),
        .init(status: 423, step: .retry(AttemptFailure(.throttle)), next: .query),
        .init(status: 429, step: .retry(AttemptFailure(.throttle)), next: .query),
        .init(status: 500, step: .retry(AttemptFailure(.server)), next: .query),
        .init(status: 503, step: .retry(AttemptFailure(.throttle)), next: .query),
        .init(status: 302, step: .retry(AttemptFailure(.connectFail)), next: .query),
        .init(status: 401, step: .authorize, next: .append(0..<50)),
        .init(status: 400, step: .fail(.rejected(status: 400)), next: .append(0..<50)),
        .init(status: 403, step: .fail(.rejected(status: 403)), next: .append(0..<50)),
        .init(status: 415, step: .fail(.rejected(status: 415)), next: .append(0..<50)),
    ]

    @Test(arguments: appends)
    func `each answer to a chunk has its consequence`(_ example: AppendCase) {
        var progress = made()
        _ = take(&progress, answer(200, offset: 0), to: .query)
        let step = take(&progress, answer(example.status), to: .append(0..<60))
        #expect(step == example.step)
        #expect(progress.nextAction(chunk: 50) == example.next)
    }

    struct QueryCase: Sendable, CustomStringConvertible {
        var status: Int
        var step: UploadStep
        var description: String { "\(status)" }
    }

    // A 5xx on HEAD is no reason to begin anew.
    static let queries: [QueryCase] = [
        .init(status: 404, step: .recreate), .init(status: 410, step: .recreate),
        .init(status: 423, step: .retry(AttemptFailure(.throttle))),
        .init(status: 500, step: .retry(AttemptFailure(.server))),
        .init(status: 503, step: .retry(AttemptFailure(.throttle))),
        .init(status: 403, step: .fail(.rejected(status: 403))),
        // No offset: a captive portal's page.
        .init(status: 200, step: .retry(AttemptFailure(.connectFail))),
    ]

    @Test(arguments: queries)
    func `each answer to a question has its consequence`(_ example: QueryCase) {
        var progress = made()
        #expect(take(&progress, answer(example.status), to: .query) == example.step)
        #expect(progress.location == location)
    }

    struct CreationCase: Sendable, CustomStringConvertible {
        var status: Int
        var step: UploadStep
        var description: String { "\(status)" }
    }

    static let creations: [CreationCase] = [
        .init(status: 409, step: .retry(AttemptFailure(.throttle))),
        .init(status: 422, step: .fail(.rejected(status: 422))),
        .init(status: 413, step: .fail(.rejected(status: 413))),
        .init(status: 404, step: .fail(.rejected(status: 404))),
        .init(status: 503, step: .retry(AttemptFailure(.throttle))),
        // 2xx without a Location: not a server of tus.
        .init(status: 200, step: .retry(AttemptFailure(.connectFail))),
    ]

    @Test(arguments: creations)
    func `each answer to a creation has its consequence`(_ example: CreationCase) {
        var progress = UploadProgress(length: 100)
        progress.willCreate()
        #expect(take(&progress, answer(example.status), to: .create) == example.step)
        #expect(progress.nextAction(chunk: 50) == .create)
    }

    @Test func `an upload that is lost twice is told`() {
        var progress = made()
        #expect(take(&progress, answer(404), to: .query) == .recreate)
        progress.recreate()
        #expect(progress.nextAction(chunk: 50) == .create)
        progress.willCreate()
        _ = take(&progress, answer(201, [HTTPHeader("Location", "u2")]), to: .create)
        #expect(progress.nextAction(chunk: 50) == .append(0..<50))
        let second = take(&progress, answer(410), to: .append(0..<50))
        #expect(second == .fail(.expired(status: 410)))
    }

    @Test func `confirmed bytes never fall`() {
        var progress = made()
        _ = take(&progress, answer(200, offset: 70), to: .query)
        _ = progress.takeError(.ambiguous)
        _ = take(&progress, answer(200, offset: 40), to: .query)
        #expect(progress.confirmed == 70)
        #expect(progress.nextAction(chunk: 60) == .append(40..<100))
    }

    @Test func `part of a chunk is a step on, none of it is a reason to wait`() {
        var progress = made()
        _ = take(&progress, answer(200, offset: 0), to: .query)
        #expect(take(&progress, answer(204, offset: 10), to: .append(0..<60)) == .proceed)
        let none = take(&progress, answer(204, offset: 10), to: .append(10..<70))
        #expect(none == .retry(AttemptFailure(.server)))
    }

    @Test func `an offset out of range is a broken protocol, at the third time for good`() {
        var progress = made()
        for offset in [101, -1] as [Int64] {
            let step = take(&progress, answer(200, offset: offset), to: .query)
            #expect(step == .retry(AttemptFailure(.server)))
        }
        let third = take(
            &progress,
            answer(200, offset: 5, [HTTPHeader("Upload-Length", "99")]),
            to: .query
        )
        #expect(third == .fail(.serverViolatesProtocol))
    }

    @Test func `a row of offset conflicts waits after the first`() {
        var progress = made()
        _ = take(&progress, answer(200, offset: 0), to: .query)
        #expect(take(&progress, answer(409), to: .append(0..<60)) == .proceed)
        _ = take(&progress, answer(200, offset: 0), to: .query)
        let second = take(&progress, answer(409), to: .append(0..<60))
        #expect(second == .retry(AttemptFailure(.server)))
    }

    @Test func `a damaged chunk is sent again at once, then after a wait`() {
        var progress = made()
        _ = take(&progress, answer(200, offset: 0), to: .query)
        #expect(take(&progress, answer(460), to: .append(0..<60)) == .proceed)
        let second = take(&progress, answer(460), to: .append(0..<60))
        #expect(second == .retry(AttemptFailure(.server)))
    }

    @Test func `credentials are refreshed once, then the upload is refused`() {
        var progress = made()
        #expect(take(&progress, answer(401), to: .query) == .authorize)
        #expect(take(&progress, answer(401), to: .query) == .fail(.rejected(status: 401)))
    }

    @Test func `what a server asks by Retry-After goes with the failure`() {
        var progress = made()
        let step = take(&progress, answer(503), to: .query, retryAfter: .seconds(20))
        #expect(step == .retry(AttemptFailure(.throttle, retryAfter: .seconds(20))))
    }

    @Test func `a file that cannot be read now makes it wait, longer each time`() {
        var progress = made()
        _ = take(&progress, answer(200, offset: 30), to: .query)
        for count in 1...3 {
            #expect(progress.takeSourceError() == .retry(AttemptFailure(.connectFail)))
            #expect(progress.failures == count)
        }
        #expect(progress.nextAction(chunk: 60) == .append(30..<90))
    }

    @Test func `failures count until a byte is confirmed`() {
        var progress = made()
        _ = progress.takeError(.ambiguous)
        _ = progress.takeError(.offline)
        _ = take(&progress, answer(503), to: .query)
        #expect(progress.failures == 2)
        _ = take(&progress, answer(200, offset: 0), to: .query)
        #expect(progress.failures == 2)
        _ = take(&progress, answer(204, offset: 60), to: .append(0..<60))
        #expect(progress.failures == 0)
    }
}
