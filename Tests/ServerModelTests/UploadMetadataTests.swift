import Testing

@testable import ServerModel

@Suite struct UploadMetadataTests {
    @Test func `the protocol's own example is read`() throws {
        // tus 1.0.0, Creation: the example request.
        let metadata = try #require(
            UploadMetadata("filename d29ybGRfZG9taW5hdGlvbl9wbGFuLnBkZg==,is_confidential")
        )
        #expect(metadata.value(ofFirst: ["filename"]) == "world_domination_plan.pdf")
        #expect(metadata.value(ofFirst: ["is_confidential"]) == "")
        #expect(metadata.value(ofFirst: ["absent", "filename"]) == "world_domination_plan.pdf")
        #expect(metadata.value(ofFirst: ["absent"]) == nil)
    }

    @Test(arguments: [
        "", ",", "a,", "a YQ==,a YQ==", "a YQ", "a b c", "ä YQ==", "filename not-base64!",
    ])
    func `malformed metadata are refused`(text: String) {
        #expect(UploadMetadata(text) == nil)
    }
}
