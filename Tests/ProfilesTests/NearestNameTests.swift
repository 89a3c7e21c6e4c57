import Profiles
import Testing

/// Slips of the keyboard are recognised; other words are not.
@Suite struct NearestNameTests {
    @Test(arguments: [
        ("mesage.send", "message.send"), ("message.sned", "message.send"),
        ("Message.Send", "message.send"), ("like.togle", "like.toggle"),
    ])
    func `a slip finds its name`(slip: String, name: String) {
        #expect(NearestName.of(slip, among: ["like.toggle", "message.send"]) == name)
    }

    @Test func `another word finds nothing`() {
        // "teleport" takes six edits to become "like.toggle" or more: no slip.
        #expect(NearestName.of("teleport", among: ["like.toggle", "message.send"]) == nil)
        #expect(NearestName.of("at", among: ["for"]) == nil)
    }

    @Test func `the remedy names the nearest, or lists all`() {
        #expect(NearestName.remedy(for: "forr", among: ["at", "for"]) == "did you mean \"for\"?")
        #expect(NearestName.remedy(for: "zzzz", among: ["at", "for"]) == "one of: at, for")
    }
}
