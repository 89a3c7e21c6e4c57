import Quantities

extension DeviceModel {
    /// A mid-range Android phone of about 2019.
    ///
    /// RAM class and heap limit: 6 GB, `dalvik.vm.heapgrowthlimit` 256 MB (LineageOS
    /// frameworks_native build/*.mk). Battery 4,000 mAh, screen 85 mA, cpu.active 57.67 mA at the
    /// lowest speed of the middle cluster, cpu.idle + cpu.awake 13 mA (OnePlus 7 Pro
    /// power_profile.xml), each at 3.85 V. Decode: 15 ms for 650,000 pixels (design F16), so 23 ms
    /// a megapixel. Parsing and launch time are assumptions.
    package static let androidMid = DeviceModel(
        name: "android-mid",
        memory: .mebibytes(6_144),
        memoryCap: .mebibytes(256),
        battery: BatteryCapacity(milliampereHours: 4_000),
        processor: ProcessorModel(
            activePower: Power(microwatts: 222_030),
            decodePerMegapixel: .milliseconds(23),
            parsePerKibibyte: .microseconds(20),
            launch: .milliseconds(450)
        ),
        screenPower: Power(microwatts: 327_250),
        basePower: Power(microwatts: 50_050),
        refreshRate: 60
    )

    /// An Android phone of the 1 GB class: 192 MB a heap (same source), twice the time for all work.
    ///
    /// Battery and powers are those of a Nexus 5's screen (82.75 mA); the factor of two and the
    /// battery of 3,000 mAh are assumptions.
    package static let androidLow = DeviceModel(
        name: "android-low",
        memory: .mebibytes(1_024),
        memoryCap: .mebibytes(192),
        battery: BatteryCapacity(milliampereHours: 3_000),
        processor: ProcessorModel(
            activePower: Power(microwatts: 222_030),
            decodePerMegapixel: .milliseconds(46),
            parsePerKibibyte: .microseconds(40),
            launch: .milliseconds(900),
            coldStart: .milliseconds(2_500),
            warmStart: .milliseconds(400)
        ),
        screenPower: Power(microwatts: 318_588),
        basePower: Power(microwatts: 50_050),
        refreshRate: 60
    )

    /// An iPhone XR: apps crash at 1,792 of 2,813 MB (StackOverflow 5887248), 2,942 mAh.
    ///
    /// Powers and times are taken from `androidMid`: assumptions, no source is known for this phone.
    package static let iphoneXR = DeviceModel(
        name: "iphone-xr",
        memory: .mebibytes(2_813),
        memoryCap: .mebibytes(1_792),
        battery: BatteryCapacity(milliampereHours: 2_942),
        processor: androidMid.processor,
        screenPower: androidMid.screenPower,
        basePower: androidMid.basePower,
        refreshRate: 60
    )
}
