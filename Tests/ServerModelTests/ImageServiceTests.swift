import HTTPVocabulary
import Quantities
import ServerModel
import Testing

@Suite struct ImageServiceTests {
    static let catalogue = ImageCatalogue(
        original: .init(width: 4_000, height: 3_000, size: .kilobytes(200)),
        variants: [
            .init(width: 1_080, height: 810, size: .kilobytes(90)),
            .init(width: 540, height: 405, size: .kilobytes(50)),
            .init(width: 540, height: 405, size: .kilobytes(30), format: "webp"),
        ],
        maximumAge: .seconds(3_600)
    )

    func bench(_ catalogue: ImageCatalogue = Self.catalogue) -> ServerBench {
        var configuration = ServerConfiguration.immediate
        configuration.images = catalogue
        return ServerBench(configuration)
    }

    @Test(
        arguments: [
            ("/images/a", nil, 200_000, 4_000), ("/images/a?w=540", nil, 50_000, 540),
            ("/images/a?w=540", "image/webp,*/*", 30_000, 540),
            ("/images/a?w=541", nil, 90_000, 1_080),
            ("/images/a?x=1&w=1080", nil, 90_000, 1_080), ("/images/a?w=1081", nil, 200_000, 4_000),
        ] as [(String, String?, Int, Int)]
    )
    func `the leanest file that fills the place is served`(
        target: String,
        accept: String?,
        size: Int,
        width: Int
    ) throws {
        let fields = accept.map { [("Accept", $0)] } ?? []
        let exchange = bench().send("GET", target, fields)
        let body = try #require(exchange.response?.body)
        let image = try #require(SimulatedImage(header: body))
        #expect(exchange.status == 200)
        #expect(body.count == size)
        #expect(image.size.bytes == Int64(size))
        #expect(image.width == width)
        #expect(exchange.field("Vary") == "Accept")
        #expect(exchange.field("Cache-Control") == "max-age=3600")
    }

    @Test func `two pictures are two files, and one is the same each time`() {
        let bench = bench()
        let first = bench.send("GET", "/images/a?w=540").response?.body
        #expect(bench.send("GET", "/images/a?w=540").response?.body == first)
        #expect(bench.send("GET", "/images/b?w=540").response?.body != first)
    }

    @Test func `a known version is not sent again, until it changes`() throws {
        let bench = bench()
        let tag = try #require(bench.send("GET", "/images/a?w=540").field("ETag"))
        for known in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
            let exchange = bench.send("GET", "/images/a?w=540", [("If-None-Match", known)])
            #expect(exchange.status == 304)
            #expect(exchange.response?.body.isEmpty == true)
            #expect(exchange.field("ETag") == tag)
        }
        // Another size is another file.
        #expect(bench.send("GET", "/images/a", [("If-None-Match", tag)]).status == 200)
        bench.server.replaceImage("a")
        #expect(bench.send("GET", "/images/a?w=540", [("If-None-Match", tag)]).status == 200)
    }

    @Test(
        arguments: [
            ("bytes=0-99", 206, "bytes 0-99/50000", 100),
            ("bytes=49900-", 206, "bytes 49900-49999/50000", 100),
            ("bytes=49900-99999", 206, "bytes 49900-49999/50000", 100),
            ("bytes=-10", 206, "bytes 49990-49999/50000", 10),
            ("bytes=-99999", 206, "bytes 0-49999/50000", 50_000),
            ("bytes=50000-", 416, "bytes */50000", 0), ("bytes=-0", 416, "bytes */50000", 0),
            ("bytes=9-3", 200, nil, 50_000), ("bytes=0-1,5-6", 200, nil, 50_000),
            ("lines=0-1", 200, nil, 50_000), ("bytes=a-b", 200, nil, 50_000),
        ] as [(String, Int, String?, Int)]
    )
    func `a part is served as RFC 9110 says`(
        range: String,
        status: Int,
        content: String?,
        size: Int
    ) {
        let exchange = bench().send("GET", "/images/a?w=540", [("Range", range)])
        #expect(exchange.status == status)
        #expect(exchange.field("Content-Range") == content)
        #expect(exchange.response?.body.count == size)
    }

    @Test func `a part of another version is served whole`() throws {
        let bench = bench()
        let tag = try #require(bench.send("HEAD", "/images/a?w=540").field("ETag"))
        let part = [("Range", "bytes=10-"), ("If-Range", tag)]
        #expect(bench.send("GET", "/images/a?w=540", part).status == 206)
        bench.server.replaceImage("a")
        #expect(bench.send("GET", "/images/a?w=540", part).status == 200)
    }

    // 400 names at 25 %: 100 on average, standard deviation sqrt(400 x 0.25 x 0.75) = 8.7.
    @Test func `a share of names is missing, always the same ones`() {
        let bench = bench(ImageCatalogue(missing: .percent(25)))
        func missing() -> [Int] {
            (1...400).filter { bench.send("HEAD", "/images/\($0)").status == 404 }
        }
        let first = missing()
        #expect((66...134).contains(first.count))
        #expect(missing() == first)
    }

    @Test func `a truncated file has the status of a whole one`() throws {
        let bench = bench(
            ImageCatalogue(
                original: .init(width: 100, height: 100, size: .bytes(1_000)),
                truncated: .percent(50)
            )
        )
        let sizes = (1...100).map { _ in bench.send("GET", "/images/a").response?.body.count }
        #expect(Set(sizes) == [500, 1_000])
        #expect(bench.send("GET", "/images/a").status == 200)
    }

    @Test func `what does not begin as a picture is none`() {
        #expect(SimulatedImage(header: []) == nil)
        #expect(SimulatedImage(header: [UInt8](repeating: 0, count: 40)) == nil)
        let image = SimulatedImage(width: 7, height: 5, size: .bytes(24))
        #expect(SimulatedImage(header: image.file(seed: 1)) == image)
    }
}
