import Testing

@testable import ServerModel

@Suite struct JSONMemberScannerTests {
    @Test(arguments: [
        (#"{"id":"m1"}"#, "m1"), (#" { "a" : [1,{"id":"inner"}] , "id" : "m2" } "#, "m2"),
        (#"{"id":12}"#, "12"), (#"{"id":-1.5e+3}"#, "-1.5e+3"), (#"{"id":true}"#, "true"),
        (#"{"id":false,"b":null}"#, "false"), (#"{"id":"\u00e4\n\"\\\/"}"#, "ä\n\"\\/"),
        (#"{"id":"\ud83d\ude00"}"#, "😀"), (#"{"\u0069d":"escaped name"}"#, "escaped name"),
        (#"{"id":""}"#, ""), (#"{"x":"id","id":"y"}"#, "y"), (#"{"id":"ab\tcd"}"#, "ab\tcd"),
    ])
    func `a top-level scalar is found`(text: String, value: String) throws {
        #expect(try JSONMemberScanner.member("id", of: Array(text.utf8)) == value)
    }

    @Test(arguments: [
        "{}", #"{"other":"id"}"#, #"{"id":null}"#, #"{"id":{"id":"x"}}"#, #"{"id":["x"]}"#,
        #"{"a":{"id":"inner"}}"#,
    ])
    func `what is missing, null or not scalar is nil`(text: String) throws {
        #expect(try JSONMemberScanner.member("id", of: Array(text.utf8)) == nil)
    }

    @Test(arguments: [
        (#"{"batch":[{"id":"a"},{"id":"b"}]}"#, [#"{"id":"a"}"#, #"{"id":"b"}"#]),
        (#"{"x":[1],"batch" : [ {"id":["a","b"]} , 7 ], "y":2}"#, [#"{"id":["a","b"]}"#, "7"]),
        (#"{"batch":[]}"#, []), (#"{"batch":"a"}"#, []), ("{}", []),
    ])
    func `the elements of an array are told as they stand`(text: String, elements: [String]) throws
    {
        let found = try JSONMemberScanner.elements(of: "batch", in: Array(text.utf8))
        #expect(found.map { String(decoding: $0, as: UTF8.self) } == elements)
    }

    @Test(arguments: [#"{"batch":[1,]}"#, #"{"batch":[1"#, #"{"batch":[1],"batch":[2]}"#])
    func `an array that is no JSON is refused`(text: String) {
        #expect(throws: JSONScanError.self) {
            _ = try JSONMemberScanner.elements(of: "batch", in: Array(text.utf8))
        }
    }

    // RFC 8259: each breaks one rule of the grammar; the second of a name is against its section 4.
    @Test(arguments: [
        "", " ", "[]", "\"id\"", "{", #"{"id""#, #"{"id":}"#, #"{"id":"a""#, #"{"id":"a"}x"#,
        #"{"id":"a",}"#, #"{id:"a"}"#, #"{'id':'a'}"#, #"{"id":01}"#, #"{"id":1.}"#,
        #"{"id":.5}"#, #"{"id":+1}"#, #"{"id":1e}"#, #"{"id":tru}"#, #"{"id":NaN}"#,
        #"{"id":"\x"}"#, #"{"id":"\u12"}"#, #"{"id":"\ud83d"}"#, #"{"id":"\ude00"}"#,
        "{\"id\":\"a\u{1}\"}", #"{"id":"a","id":"b"}"#, #"{"a":[1,]}"#, #"{"a":[1 2]}"#,
        #"{"a":{"b" 1}}"#,
    ])
    func `text that is not JSON is refused`(text: String) {
        #expect(throws: JSONScanError.self) {
            try JSONMemberScanner.member("id", of: Array(text.utf8))
        }
    }

    @Test func `bytes that are not UTF-8 are refused`() {
        let body = Array(#"{"id":""#.utf8) + [0xC3, 0x28] + Array(#""}"#.utf8)
        #expect(throws: JSONScanError.self) { try JSONMemberScanner.member("id", of: body) }
        let afterEscape = Array(#"{"id":"\t"#.utf8) + [0xC3, 0x28] + Array(#""}"#.utf8)
        #expect(throws: JSONScanError.self) { try JSONMemberScanner.member("id", of: afterEscape) }
    }

    @Test func `deep nesting is refused before it hurts`() {
        let deep = #"{"a":"# + String(repeating: "[", count: 100_000)
        #expect(throws: JSONScanError.self) {
            try JSONMemberScanner.member("id", of: Array(deep.utf8))
        }
    }
}
