import Testing

@testable import ServerModel

@Suite struct RoutePatternTests {
    @Test(arguments: [
        ("POST /messages", "POST", "/messages", true),
        ("POST /messages", "PUT", "/messages", false),
        ("POST /messages", "POST", "/messages/", false), ("POST /messages", "POST", "/m", false),
        ("PUT /likes/*", "PUT", "/likes/p7", true), ("PUT /likes/*", "PUT", "/likes", false),
        ("PUT /likes/*", "PUT", "/likes/", false), ("PUT /likes/*", "PUT", "/likes/a/b", false),
        ("GET /", "GET", "/", true), ("GET /", "GET", "/x", false),
        ("PUT /a/*/c", "PUT", "/a/b/c", true),
    ])
    func `a route matches its method and path`(
        route: String,
        method: String,
        path: String,
        matches: Bool
    ) throws {
        let pattern = try RoutePattern(route)
        #expect(pattern.matches(method: method, path: path) == matches)
        #expect(pattern.description == route)
    }

    @Test(arguments: [
        "", "POST", "/messages", "post /messages", "POST messages", "GET /a?b", "GET  /a",
    ])
    func `text that is no route is refused with a remedy`(text: String) {
        let error = #expect(throws: RouteError.self) { try RoutePattern(text) }
        #expect(error?.description.contains("such as \"POST /messages\"") == true)
    }
}
