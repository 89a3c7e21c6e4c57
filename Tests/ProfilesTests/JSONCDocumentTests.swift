import Profiles
import Testing

/// What RFC 8259 and the comment extension allow, what they do not, and where each mistake is found.
@Suite struct JSONCDocumentTests {
    /// Every problem of a text, as it is printed.
    private func problems(_ text: String) -> [String] {
        do throws(ProfileError) {
            _ = try JSONCDocument.parse(text: text, path: "p.jsonc")
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    @Test func `comments of both kinds and trailing commas are allowed`() throws {
        let document = try JSONCDocument.parse(
            text: """
                // The first line.
                //  onebar run x
                { /* inside */ "a": [1, 2,], // after
                  "b": true, }
                """,
            path: "p.jsonc"
        )
        #expect(document.root.members?.map(\.key) == ["a", "b"])
        #expect(document.root["a"]?.elements?.count == 2)
        #expect(document.leadingComment == ["The first line.", "onebar run x"])
    }

    @Test(arguments: [
        (["One line."], "One line."),
        (["One. And another", "that goes on. And a third."], "One. And another that goes on."),
        (["A word in two", "lines.", "onebar run x"], "A word in two lines."),
        (["No stop", "onebar run x"], "No stop"),
        (["No stop", "", "More."], "No stop"),
        (["Done.", "Not told."], "Done."),
        ([], ""),
    ])
    func `a headline ends with a sentence`(lines: [String], headline: String) {
        #expect(JSONCDocument.headline(of: lines) == headline)
    }

    @Test func `what a shipped file says of itself is whole`() throws {
        let library = ShippedProfileTests.library
        let paths =
            try library.profileNames().map(library.pathOfProfile)
            + PresetKind.allCases.flatMap { kind in
                library.presetNames(kind).compactMap { library.pathOfPreset(kind, named: $0) }
            }
        for path in paths {
            let document = try library.document(at: path)
            guard document.root["alias"] == nil else { continue }
            #expect(document.headline.hasSuffix("."), "\(path): \(document.headline)")
        }
    }

    @Test func `keys and values carry line and column`() throws {
        let document = try JSONCDocument.parse(
            text: "{\n  \"ä\": \"é\", \"b\":\t7\r\n, \"c\": null }",
            path: "p.jsonc"
        )
        let members = try #require(document.root.members)
        // Line 2: two blanks, then the key at column 3; `"ä": ` is five scalars, so the value is at 8;
        // `"é", ` is five more: key b at 13, and its value after `"b":` and a tab at 18.
        #expect(
            members.map(\.keyLocation.description) == [
                "p.jsonc:2:3", "p.jsonc:2:13", "p.jsonc:3:3",
            ]
        )
        #expect(members.map(\.value.location.column) == [8, 18, 8])
    }

    @Test func `escapes are resolved as RFC 8259 section 7 says`() throws {
        // U+1D11E is the RFC's own example of a surrogate pair: \uD834\uDD1E.
        let document = try JSONCDocument.parse(
            text: #"{"s": "\"\\\/\b\f\n\r\t\u0041\uD834\uDD1E"}"#,
            path: "p.jsonc"
        )
        #expect(document.root["s"]?.string == "\"\\/\u{8}\u{c}\n\r\tA\u{1D11E}")
    }

    @Test func `numbers keep their digits`() throws {
        let document = try JSONCDocument.parse(
            text: "[0, -0.5, 12345678901234567890, 1e3]",
            path: "p.jsonc"
        )
        let digits = try #require(document.root.elements).map { value in
            if case .number(let text) = value.content { text } else { "" }
        }
        #expect(digits == ["0", "-0.5", "12345678901234567890", "1e3"])
    }

    @Test func `a byte order mark is skipped and does not move columns`() throws {
        let bytes: [UInt8] = [0xEF, 0xBB, 0xBF] + Array("{ \"a\": 1 }".utf8)
        let document = try JSONCDocument.parse(bytes: bytes, path: "p.jsonc")
        #expect(document.root.members?.first?.keyLocation.column == 3)
    }

    @Test(arguments: [
        // A duplicate key, which Foundation drops in silence.
        (
            "{\n  \"a\": 1,\n  \"a\": 2\n}",
            ["p.jsonc:3:3: error: the key \"a\" is already there in line 2 (keep one of them)"]
        ),
        ("", ["p.jsonc:1:1: error: the file is empty (write a profile: { \"onebar\": 1 })"]),
        (
            "// nothing\n",
            ["p.jsonc:2:1: error: the file is empty (write a profile: { \"onebar\": 1 })"]
        ),
        (
            "{\n  \"a\": {\n    \"b\": 1\n",
            [
                "p.jsonc:4:1: error: the file ends inside the object that begins in line 2, column 8 "
                    + "(close it with '}'; the file may be truncated)"
            ]
        ),
        (
            "{ \"a\": \"15",
            [
                "p.jsonc:1:8: error: the string is not closed on its line (close it with a double quote)",
                "p.jsonc:1:11: error: the file ends inside the object that begins in line 1, column 1 "
                    + "(close it with '}'; the file may be truncated)",
            ]
        ),
        (
            "{ \"a\": 1 } }",
            [
                "p.jsonc:1:12: error: '}' follows the end of the file's only value (remove it; one file holds one value)"
            ]
        ),
        (
            "{ \"a\": 1 \"b\": 2 }",
            ["p.jsonc:1:10: error: a comma is missing before '\"' (write one)"]
        ),
        (
            "{ \"a\" 1 }",
            ["p.jsonc:1:7: error: the key \"a\" has no ':' after it (write \"a\": value)"]
        ),
        ("{ \"a\": }", ["p.jsonc:1:8: error: a value is missing before '}' (write one there)"]),
        ("[1,,2]", ["p.jsonc:1:4: error: nothing stands between two commas (remove one of them)"]),
        ("{ a: 1 }", ["p.jsonc:1:3: error: the key a is not in quotes (write \"a\")"]),
        (
            "{ 'a': 1 }",
            ["p.jsonc:1:3: error: a string begins with a single quote (use double quotes)"]
        ),
        ("{ \"a\": True }", ["p.jsonc:1:8: error: 'True' is not a JSON value (write true)"]),
        (
            "{ \"a\": 15mbps }",
            ["p.jsonc:1:8: error: '15mbps' is not a JSON value (write \"15mbps\" in quotes)"]
        ),
        (
            "{ \"a\": 01 }",
            ["p.jsonc:1:8: error: '01' is not a JSON value (write \"01\" in quotes)"]
        ),
        (
            "[ \"\\q\" ]",
            [
                "p.jsonc:1:4: error: the string has an unknown escape (JSON has \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\uXXXX, surrogates in pairs)"
            ]
        ),
        ("[ 1 }", ["p.jsonc:1:5: error: '}' closes an array that '[' opened (write ']')"]),
        (
            "{ \"a\": 1 /* }",
            ["p.jsonc:1:10: error: the comment is never closed (close it with */)"]
        ),
    ])
    func `a mistake is reported where it stands, with a remedy`(text: String, expected: [String]) {
        #expect(problems(text) == expected)
    }

    @Test func `independent mistakes are all reported at once`() {
        let text = """
            {
              "a": nope,
              "b": 1
              "c": [1, 2,
              ,],
              "b": 3,
              "d": 'x'
            }
            """
        #expect(
            problems(text).map { $0.prefix(12) } == [
                "p.jsonc:2:8:", "p.jsonc:4:3:", "p.jsonc:5:3:", "p.jsonc:6:3:", "p.jsonc:7:8:",
            ]
        )
    }

    @Test func `bytes that are not UTF-8 are located`() {
        let bytes: [UInt8] = Array("{\n \"ä\": \"".utf8) + [0xFF] + Array("\" }".utf8)
        #expect(throws: ProfileError.self) {
            try JSONCDocument.parse(bytes: bytes, path: "p.jsonc")
        }
        do throws(ProfileError) {
            _ = try JSONCDocument.parse(bytes: bytes, path: "p.jsonc")
        } catch {
            // Line 2 is ` "ä": "` before the byte: seven scalars, so it stands in column 8.
            #expect(
                error.description
                    == "p.jsonc:2:8: error: the byte 0xFF is not UTF-8 (save the file as UTF-8)"
            )
        }
    }

    @Test func `UTF-16 is named as such`() {
        do throws(ProfileError) {
            _ = try JSONCDocument.parse(bytes: [0xFF, 0xFE, 0x7B, 0x00], path: "p.jsonc")
            Issue.record("accepted")
        } catch {
            #expect(
                error.description == "p.jsonc:1:1: error: the file is UTF-16 (save it as UTF-8)"
            )
        }
    }

    @Test func `nesting deeper than 64 is refused without overflowing the stack`() {
        let deep = String(repeating: "[", count: 100_000)
        #expect(
            problems(deep) == [
                "p.jsonc:1:66: error: nested more than 64 deep (profiles are flat; check the brackets)"
            ]
        )
        let allowed = String(repeating: "[", count: 65) + String(repeating: "]", count: 65)
        #expect(problems(allowed).isEmpty)
    }

    @Test func `null in an overlay takes a member away, as RFC 7396 says`() throws {
        // The example of RFC 7396, section 1: "a" is replaced and "c"."f" is removed.
        let base = try JSONCDocument.parse(
            text: #"{"a": "b", "c": {"d": "e", "f": "g"}}"#,
            path: "base.jsonc"
        )
        let patch = try JSONCDocument.parse(
            text: #"{"a": "z", "c": {"f": null}}"#,
            path: "patch.jsonc"
        )
        let merged = base.root.overlaid(by: patch.root)
        #expect(merged["a"]?.string == "z")
        #expect(merged["c"]?.members?.map(\.key) == ["d"])
    }

    @Test func `an overlay replaces values, merges objects and keeps the order`() throws {
        let base = try JSONCDocument.parse(
            text: #"{"a": 1, "b": {"x": 1, "y": 2}, "c": [1]}"#,
            path: "base.jsonc"
        )
        let over = try JSONCDocument.parse(
            text: #"{"b": {"y": 3}, "c": [], "d": 4}"#,
            path: "over.jsonc"
        )
        let merged = base.root.overlaid(by: over.root)
        #expect(merged.members?.map(\.key) == ["a", "b", "c", "d"])
        #expect(merged["b"]?["x"]?.location.path == "base.jsonc")
        #expect(merged["b"]?["y"]?.location.description == "over.jsonc:1:13")
        #expect(merged["c"]?.elements?.isEmpty == true)
    }
}
