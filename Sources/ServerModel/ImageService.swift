import HTTPVocabulary
import Quantities
import SimulationKernel

/// Answers requests for pictures: variants, validators, ranges, and what is not there (RFC 9110).
final class ImageService {
    private let catalogue: ImageCatalogue
    private let simulation: Simulation
    private var versions: [String: Int] = [:]
    private var answers: [String: Int] = [:]

    init(catalogue: ImageCatalogue, simulation: Simulation) {
        self.catalogue = catalogue
        self.simulation = simulation
    }

    /// The picture of this name is another one from now on.
    func replace(_ name: String) {
        versions[name, default: 0] += 1
    }

    /// The answer to a request for `/images/NAME`.
    func answer(_ head: HTTPRequestHead) -> HTTPResponseMessage {
        let name = String(head.path.dropFirst("/images/".count))
        guard !isMissing(name) else {
            return HTTPResponseMessage(
                status: 404,
                fields: HTTPFieldList([("Content-Type", "text/plain")]),
                body: Array("There is no such picture".utf8)
            )
        }
        let (number, variant) = catalogue.file(
            width: Self.width(in: head.target),
            accept: head.fields["Accept"]
        )
        let tag = "\"\(name)-\(versions[name] ?? 0)-\(number)\""
        var fields = HTTPFieldList([
            ("ETag", tag), ("Vary", "Accept"), ("Accept-Ranges", "bytes"),
        ])
        if let age = catalogue.maximumAge {
            fields.append("Cache-Control", "max-age=\(age.components.seconds)")
        }
        if let known = head.fields["If-None-Match"], Self.matches(known, tag) {
            return HTTPResponseMessage(status: 304, fields: fields)
        }
        fields.append("Content-Type", "image/\(variant.format)")
        let file = SimulatedImage(
            width: variant.width,
            height: variant.height,
            size: variant.size
        ).file(seed: ContentDigest(of: Array(tag.utf8)).value)
        if let range = head.fields["Range"], head.fields["If-Range"].map({ $0 == tag }) ?? true {
            return partial(file, range, fields)
        }
        return HTTPResponseMessage(status: 200, fields: fields, body: cut(file, of: name))
    }

    // MARK: Parts

    /// RFC 9110, 14.2: one range is served, several or none that is understood are ignored.
    private func partial(
        _ file: [UInt8],
        _ text: String,
        _ fields: HTTPFieldList
    ) -> HTTPResponseMessage {
        var fields = fields
        switch Self.range(text, of: file.count) {
        case .ignored:
            return HTTPResponseMessage(status: 200, fields: fields, body: file)
        case .unsatisfiable:
            fields.append("Content-Range", "bytes */\(file.count)")
            return HTTPResponseMessage(status: 416, fields: fields)
        case .bytes(let range):
            fields.append(
                "Content-Range",
                "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.count)"
            )
            return HTTPResponseMessage(status: 206, fields: fields, body: Array(file[range]))
        }
    }

    private enum RequestedRange {
        case ignored
        case unsatisfiable
        case bytes(Range<Int>)
    }

    private static func range(_ text: String, of length: Int) -> RequestedRange {
        guard text.hasPrefix("bytes=") else { return .ignored }
        let ends = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return .ignored }
        switch (ends[0].isEmpty ? nil : Int(ends[0]), ends[1].isEmpty ? nil : Int(ends[1])) {
        case (let first?, let last?) where ends[1].isEmpty == false:
            guard first <= last else { return .ignored }
            return first < length ? .bytes(first..<min(last + 1, length)) : .unsatisfiable
        case (let first?, nil) where ends[1].isEmpty:
            return first < length ? .bytes(first..<length) : .unsatisfiable
        case (nil, let count?) where ends[0].isEmpty:
            return count > 0 ? .bytes(max(0, length - count)..<length) : .unsatisfiable
        default:
            return .ignored
        }
    }

    // MARK: What goes wrong

    private func isMissing(_ name: String) -> Bool {
        guard catalogue.missing > .never else { return false }
        var stream = simulation.stream("server", entity: "image/\(name)", purpose: "missing")
        return stream.happens(catalogue.missing)
    }

    /// Some answers end early: half of the file, as a close without a length would leave it.
    private func cut(_ file: [UInt8], of name: String) -> [UInt8] {
        guard catalogue.truncated > .never else { return file }
        let number = answers[name, default: 0] + 1
        answers[name] = number
        var stream = simulation.stream(
            "server",
            entity: "image/\(name)/\(number)",
            purpose: "truncated"
        )
        return stream.happens(catalogue.truncated) ? Array(file.prefix(file.count / 2)) : file
    }

    /// The `w` of a query.
    private static func width(in target: String) -> Int? {
        guard let mark = target.firstIndex(of: "?") else { return nil }
        let parts = target[target.index(after: mark)...].split(separator: "&")
        return parts.lazy.filter { $0.hasPrefix("w=") }.compactMap { Int($0.dropFirst(2)) }.first
    }

    /// RFC 9110, 13.1.2: a star, or any of a list; compared weakly.
    private static func matches(_ list: String, _ tag: String) -> Bool {
        list.split(separator: ",").contains { entry in
            var entry = entry.drop { $0 == " " }
            if entry.hasPrefix("W/") { entry = entry.dropFirst(2) }
            while entry.last == " " { entry = entry.dropLast() }
            return entry == "*" || entry == tag
        }
    }
}

extension SimulatedServer {
    /// Serves the pictures of `catalogue` at `GET /images/*` and `HEAD /images/*`.
    package func serveImages(_ catalogue: ImageCatalogue) {
        let service = ImageService(catalogue: catalogue, simulation: simulation)
        images = service
        serve("GET /images/*") { service.answer($0) }
        serve("HEAD /images/*") { service.answer($0) }
    }

    /// The picture of this name changes: its validators match no more.
    package func replaceImage(_ name: String) {
        images?.replace(name)
    }
}
