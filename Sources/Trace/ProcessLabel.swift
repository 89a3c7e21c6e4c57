/// Names one launch of one simulated process: `phone#2` is the second launch on device 0.
package struct ProcessLabel: Hashable, Sendable, Comparable {
    /// The device, counted from zero.
    package let device: Int32
    /// The launch on that device, counted from one; below zero for a second process.
    package let launch: Int32

    /// Makes a label.
    package init(device: Int, launch: Int) {
        self.device = Int32(device)
        self.launch = Int32(launch)
    }

    /// Names one life of a second process of the app, counted from one: such a label's launch is negative.
    package init(device: Int, second number: Int) {
        self.device = Int32(device)
        launch = -Int32(number)
    }

    /// Whether it is of the app's second process, and not of its own launches.
    package var isSecond: Bool { launch < 0 }

    /// What reports call it: "launch 2", or "second process 1".
    package var text: String { isSecond ? "second process \(-launch)" : "launch \(launch)" }

    /// Orders by device, then by launch.
    package static func < (left: ProcessLabel, right: ProcessLabel) -> Bool {
        (left.device, left.launch) < (right.device, right.launch)
    }
}
