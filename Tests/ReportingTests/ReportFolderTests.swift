import Budgets
import Foundation
import Measurements
import Quantities
import Reporting
import Testing

/// Reports are written whole or not at all, and the same each time.
@Suite struct ReportFolderTests {
    /// A new folder that is removed at the end of `body`.
    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("onebar-report-\(ProcessInfo.processInfo.globallyUniqueString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.path)
    }

    private func contents(_ folder: String) throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            files[name] = FileManager.default.contents(atPath: "\(folder)/\(name)")
        }
        return files
    }

    @Test func `two runs give the same bytes, whatever the host took`() throws {
        try withFolder { folder in
            var first = try SampleCommute.run(count: 4, isBroken: true)
            try RunReport.write(first, to: "\(folder)/one")
            first = try SampleCommute.run(count: 4, isBroken: true, hostFactor: 3)
            try RunReport.write(first, to: "\(folder)/two")
            let (one, two) = (try contents("\(folder)/one"), try contents("\(folder)/two"))
            #expect(
                one.keys.sorted() == [
                    "budgets.csv", "energy.csv", "junit.xml", "metrics.csv", "report.html",
                    "result.json",
                    "run.json", "summary.md", "timeline.csv",
                ]
            )
            #expect(one == two)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == [
                    "one", "two",
                ]
            )
        }
    }

    @Test func `a second run replaces the files and leaves others alone`() throws {
        try withFolder { folder in
            let path = "\(folder)/commute"
            try RunReport.write(SampleCommute.run(count: 1), to: path)
            try Data("mine".utf8).write(to: URL(fileURLWithPath: "\(path)/capture.pcap"))
            try RunReport.write(SampleCommute.run(count: 2), to: path)
            let files = try contents(path)
            #expect(files["capture.pcap"] == Data("mine".utf8))
            #expect(files.count == 10)
            let json = String(decoding: files["run.json"] ?? Data(), as: UTF8.self)
            #expect(json.contains("\"seeds\": [1,2]"))
        }
    }

    @Test func `a folder that cannot be written is an error with place and remedy`() throws {
        try withFolder { folder in
            let blocker = "\(folder)/blocker"
            try Data("x".utf8).write(to: URL(fileURLWithPath: blocker))
            let run = try SampleCommute.run(count: 1)
            let under = #expect(throws: ReportError.self) {
                try RunReport.write(run, to: "\(blocker)/commute")
            }
            #expect(under?.exitCode == 73)
            #expect(under?.path == "\(blocker)/commute")
            #expect(under?.description.contains("--out") == true)
            let onto = #expect(throws: ReportError.self) { try RunReport.write(run, to: blocker) }
            #expect(onto?.problem == "is a file, and the report is a folder")
            #expect(try contents(folder) == ["blocker": Data("x".utf8)])
        }
    }

    @Test func `a report that fails midway leaves the old one as it was`() throws {
        try withFolder { folder in
            let path = "\(folder)/commute"
            try RunReport.write(SampleCommute.run(count: 1), to: path)
            try FileManager.default.removeItem(atPath: "\(path)/summary.md")
            try FileManager.default.createDirectory(
                atPath: "\(path)/summary.md",
                withIntermediateDirectories: false
            )
            let before = try contents(path)
            #expect(throws: ReportError.self) {
                try RunReport.write(SampleCommute.run(count: 2), to: path)
            }
            #expect(try contents(path) == before)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["commute"])
        }
    }

    @Test func `a stored run comes back and makes the same report`() throws {
        try withFolder { folder in
            let run = try SampleCommute.run(count: 3, isBroken: true)
            try RunReport.write(run, to: "\(folder)/commute")
            let stored = try StoredRun.read("\(folder)/commute")
            #expect(stored == run.withoutHostTimes)
            try RunReport.write(stored, to: "\(folder)/again")
            #expect(try contents("\(folder)/commute") == contents("\(folder)/again"))
        }
    }

    @Test func `a stored run that is missing or broken is said so`() throws {
        try withFolder { folder in
            let missing = #expect(throws: ReportError.self) { try StoredRun.read("\(folder)/no") }
            #expect(missing?.exitCode == 66)
            let empty = #expect(throws: ReportError.self) { try StoredRun.read(folder) }
            #expect(empty?.exitCode == 66)
            try Data("{".utf8).write(to: URL(fileURLWithPath: "\(folder)/result.json"))
            let broken = #expect(throws: ReportError.self) { try StoredRun.read(folder) }
            #expect(broken?.exitCode == 65)
        }
    }

    @Test func `a baseline comes back as it was written`() throws {
        try withFolder { folder in
            let run = try SampleCommute.run(count: 5)
            let baseline = BudgetBaseline(
                profile: "commute",
                of: run.seeds,
                paired: [MetricName("radio.energy_j")]
            )
            let path = "\(folder)/baselines/commute.json"
            #expect(try BaselineFile.read(path) == nil)
            try BaselineFile.write(baseline, to: path)
            let again = try #require(try BaselineFile.read(path))
            let text = BaselineFile.text(of: baseline)
            #expect(BaselineFile.text(of: again) == text)
            #expect(again.seeds == baseline.seeds)
            // Nine digits: half a unit of the ninth is 5e-9 of the value at most.
            for (old, new) in zip(baseline.metrics, again.metrics) {
                #expect((old[.p95] - new[.p95]).magnitude <= 5e-9 * old[.p95].magnitude)
            }
            #expect(text.split(separator: "\n").count == baseline.metrics.count + 7)
            #expect(baseline.metrics.count { $0.perSeed != nil } == 1)
            #expect(text.utf8.count < 20_000)
        }
    }

    /// Ten seeds on file, five in the run: one metric kept a value for each seed, the others did not.
    @Test func `a change is told over the same seeds only`() throws {
        let ten = try SampleCommute.run(count: 10)
        let five = try SampleCommute.run(count: 5)
        let energy = MetricName("radio.energy_j")
        let all = BudgetBaseline(profile: "commute", of: ten.seeds, paired: [energy])
        let seeds = five.seeds.map(\.seed)
        let some = all.restricted(to: seeds)
        var compared: [String] = []
        for summary in MetricSummary.all(of: five.seeds) {
            #expect(all.comparableMedian(summary, over: seeds) == nil, "\(summary.name)")
            guard let before = some.comparableMedian(summary, over: seeds) else { continue }
            compared.append(summary.name.text)
            #expect(before == summary[.p50])
        }
        #expect(compared == [energy.text])
    }

    @Test func `a baseline that is none is said so`() throws {
        try withFolder { folder in
            let path = "\(folder)/b.json"
            for text in [
                "{", "{\"format\":\"other/1\",\"profile\":\"a\",\"seeds\":[],\"metrics\":{}}",
            ] {
                try Data(text.utf8).write(to: URL(fileURLWithPath: path))
                let error = #expect(throws: ReportError.self) { try BaselineFile.read(path) }
                #expect(error?.exitCode == 65)
                #expect(error?.remedy.contains("onebar gate") == true)
            }
        }
    }
}
