import CaptureAnalysis
import PacketCapture
import PhoneModel
import Profiles
import Trace

extension SeedRunner {
    /// Where a run's packets go, as pcapng.
    package struct CapturePlan: Sendable, Equatable {
        /// The file; written under another name and moved there at the end.
        package var path: String
        /// One line for the file's own comment: what was run.
        package var comment: String

        /// Makes a plan.
        package init(path: String, comment: String = "") {
            self.path = path
            self.comment = comment
        }
    }
}

extension World {
    /// What writes the modems of the phone, or of a fleet's first one, into a file.
    ///
    /// To be added to the observations before there is a phone: its first path is reported as it is made.
    ///
    /// - Throws: `CaptureError`, when the file cannot be made.
    func captureWriter(_ plan: SeedRunner.CapturePlan) throws(CaptureError) -> CaptureWriter {
        let radios = scenario.conditions.radios
        let roles: [(RadioInterface, RadioModel)] = [
            (.cellular, radios.cellular), (.wifi, radios.wifi),
        ]
        return try CaptureWriter(
            path: plan.path,
            radios: roles.map { ($0.0, $0.1.name) },
            device: firstDevice,
            application: "onebar",
            comment: plan.comment
        ) { [unowned self] interface, crossing, instant in
            phone.captureInstant(interface, crossing, crossingAt: instant)
        }
    }
}

extension Scenario {
    /// Whether some of the radio's use is declared rather than carried by packets: no capture shows it.
    package var declaresRadioActivity: Bool {
        scenario.workload.contains { entry in
            if case .radioActivity = entry.action { true } else { false }
        }
    }
}
