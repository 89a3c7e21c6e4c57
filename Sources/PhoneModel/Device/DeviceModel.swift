import Quantities

/// A class of handset: memory, battery, processor and screen.
///
/// Radio, disk and OS are files of their own.
package struct DeviceModel: Equatable, Sendable {
    /// The name of its file, such as "android-mid".
    package var name: String
    /// RAM of the whole device.
    package var memory: ByteCount
    /// What one app may hold before the system ends it.
    package var memoryCap: ByteCount
    /// From which share of the cap on an app is warned.
    package var memoryThresholds: MemoryThresholds
    /// What a full battery holds.
    package var battery: BatteryCapacity
    /// What work costs.
    package var processor: ProcessorModel
    /// Drawn while the screen is on, without the processor.
    package var screenPower: Power
    /// Drawn while the device is awake, whatever it does.
    package var basePower: Power
    /// Pictures a second that the screen shows.
    package var refreshRate: Int

    /// Makes a device; traps unless the cap fits into the memory and the screen moves.
    package init(
        name: String,
        memory: ByteCount,
        memoryCap: ByteCount,
        memoryThresholds: MemoryThresholds = .init(),
        battery: BatteryCapacity,
        processor: ProcessorModel,
        screenPower: Power,
        basePower: Power,
        refreshRate: Int = 60
    ) {
        precondition(
            memoryCap > .zero && memoryCap <= memory,
            "an app's cap of \(memoryCap) does not fit into \(memory)"
        )
        precondition((1...1_000).contains(refreshRate), "\(refreshRate) Hz is no refresh rate")
        self.name = name
        self.memory = memory
        self.memoryCap = memoryCap
        self.memoryThresholds = memoryThresholds
        self.battery = battery
        self.processor = processor
        self.screenPower = screenPower
        self.basePower = basePower
        self.refreshRate = refreshRate
    }

    /// Time from one picture to the next, rounded up: 8,333,334 ns at 120 Hz (design F17).
    package var framePeriod: Duration {
        .nanoseconds((1_000_000_000 + Int64(refreshRate) - 1) / Int64(refreshRate))
    }

    /// Main-thread time that a frame may take: 75 % of the period, 12.5 ms at 60 Hz (design F17).
    package var frameBudget: Duration {
        .nanoseconds(framePeriod.wholeNanoseconds * 3 / 4)
    }
}

/// What work costs on a processor.
package struct ProcessorModel: Equatable, Sendable {
    /// Drawn while one core works.
    package var activePower: Power
    /// Time to decode a million pixels of a compressed picture.
    package var decodePerMegapixel: Duration
    /// Time to parse 1,024 bytes of JSON.
    package var parsePerKibibyte: Duration
    /// Time from the start of a process to its first line of code.
    package var launch: Duration
    /// Time that a person waits for an app whose process is gone.
    package var coldStart: Duration
    /// Time that a person waits for an app whose process is still there.
    package var warmStart: Duration

    /// Makes a model.
    ///
    /// Starts of 1.5 s and 200 ms are assumptions for the middle tier; Android vitals calls 5 s and
    /// 2 s bad (`radio.md` C.8).
    package init(
        activePower: Power,
        decodePerMegapixel: Duration,
        parsePerKibibyte: Duration,
        launch: Duration,
        coldStart: Duration = .milliseconds(1_500),
        warmStart: Duration = .milliseconds(200)
    ) {
        self.coldStart = coldStart
        self.warmStart = warmStart
        self.activePower = activePower
        self.decodePerMegapixel = decodePerMegapixel
        self.parsePerKibibyte = parsePerKibibyte
        self.launch = launch
    }

    /// Time to decode a picture of this size, rounded down to a nanosecond.
    package func decodeTime(width: Int, height: Int) -> Duration {
        precondition(width >= 0 && height >= 0, "\(width)x\(height) is no size")
        let pixels = Int128(width) * Int128(height)
        let nanoseconds = pixels * Int128(decodePerMegapixel.wholeNanoseconds) / 1_000_000
        return .nanoseconds(Int64(nanoseconds))
    }

    /// Time to parse that much JSON, rounded down to a nanosecond.
    package func parseTime(_ size: ByteCount) -> Duration {
        let nanoseconds = Int128(size.bytes) * Int128(parsePerKibibyte.wholeNanoseconds) / 1_024
        return .nanoseconds(Int64(nanoseconds))
    }

    /// Energy of that much work: power x time.
    package func energy(of work: Duration) -> Energy {
        activePower.energy(over: work)
    }
}
