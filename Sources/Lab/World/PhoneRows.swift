import Measurements
import Profiles
import Quantities
import SimulationKernel
import Trace

/// What the app's own database has committed on a phone, and whether it is there after each start.
final class PhoneRows: @unchecked Sendable {
    // Confined to the thread that hosts the world.
    private struct Commit {
        /// Rows that were there when it returned.
        let rows: Int
        let instant: SimulationInstant
        let survives: InsertAction.Survival
    }

    private unowned let phone: Phone
    private var commits: [Commit] = []
    private var powerLoss: SimulationInstant?

    init(phone: Phone) {
        self.phone = phone
    }

    /// The power went out: what outlives kills alone may be gone.
    func powerWentOut() {
        powerLoss = phone.simulation.instant
    }

    /// The phone was made of a backup, which has nothing of what came after it.
    func forget(after backup: SimulationInstant) {
        commits.removeAll { $0.instant > backup }
    }

    /// The app's database says what it holds.
    func heard(_ event: RowEvent, from launch: LaunchSeams) {
        launch.atLocalTime { [self] in
            let now = phone.simulation.instant
            switch event {
            case .committed(let rows, let survives):
                commits.append(Commit(rows: rows, instant: now, survives: survives))
            case .found(let rows):
                launch.log("rows in \(RowInsertion.database): \(rows)")
                judge(rows, "\(rows) of them \(rows == 1 ? "is" : "are") there", at: now)
            case .damaged(let text):
                launch.log("\(RowInsertion.database) is damaged: \(text)")
                judge(0, "the database is damaged (\(text))", at: now)
            }
        }
    }

    private func judge(_ found: Int, _ finding: String, at now: SimulationInstant) {
        let gone = commits.filter { $0.rows > found }
        // What is gone is told once.
        commits.removeAll { $0.rows > found }
        let broken = gone.last { commit in
            guard commit.survives == .kill, let powerLoss else { return true }
            return commit.instant > powerLoss
        }
        guard let broken else { return }
        var message =
            "\(broken.rows) row\(broken.rows == 1 ? " of" : "s of") \(RowInsertion.database) "
            + "\(broken.rows == 1 ? "was" : "were") committed by \(broken.instant), and " + finding
            + " at the start at \(now)"
        if let powerLoss, powerLoss >= broken.instant {
            message +=
                ", after the loss of power at \(powerLoss); to outlive one, WAL needs \"synchronous\": "
                + "\"full\" and DELETE \"extra\", on Apple's disks with \"full_sync\": true; a store that "
                + "is not to says \"survives\": \"kill\""
        }
        phone.world.report(
            .guaranteeBroken(
                name: GuaranteeName.rowsKept.text,
                message: message,
                subject: RowInsertion.database
            ),
            device: phone.device
        )
    }
}
