/// Names one launch of one simulated process: `phone#2` is the second launch on device 0.
package struct ProcessLabel: Hashable, Sendable, Comparable {
    /// The device, counted from zero.
    package let device: Int32
    /// The launch on that device, counted from one.
    package let launch: Int32

    /// Makes a label.
    package init(device: Int, launch: Int) {
        self.device = Int32(device)
        self.launch = Int32(launch)
    }

    /// Orders by device, then by launch.
    package static func < (left: ProcessLabel, right: ProcessLabel) -> Bool {
        (left.device, left.launch) < (right.device, right.launch)
    }
}
