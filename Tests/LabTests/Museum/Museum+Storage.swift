import Lab
import Measurements

extension Museum {
    /// What the system does to files and to those who hold them.
    static let storage: [Exhibit] = [
        Exhibit(
            "K1",
            "singular-labs/Singular-iOS-SDK#85",
            "the app is killed with 0xdead10cc soon after it is left",
            mistake: "a transaction stays open while the app waits",
            .sendsInTransaction,
            breaks: .noCrash,
            says: "killed for the lock (0xdead10cc)",
            // Who is right holds no lock as it waits: the suspension finds nothing to kill it for.
            fateInTheRight: .absorbed
        )
    ]
}
