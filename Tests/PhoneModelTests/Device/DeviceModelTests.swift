import PhoneModel
import Quantities
import Testing

@Suite struct DeviceModelTests {
    private func device(refreshRate: Int) -> DeviceModel {
        var device = DeviceModel.androidMid
        device.refreshRate = refreshRate
        return device
    }

    // Design F17: 12.5 ms at 60 Hz, 6.25 ms at 120 Hz, period 8,333,334 ns. Periods are rounded up
    // (16,666,667 and 8,333,334 ns; 11,111,112 at 90 Hz), budgets are 3/4 of them, rounded down.
    @Test(arguments: [
        (60, 16_666_667, 12_500_000), (90, 11_111_112, 8_333_334), (120, 8_333_334, 6_250_000),
    ])
    func `frame period and budget follow from the refresh rate`(
        rate: Int,
        period: Int,
        budget: Int
    ) {
        #expect(device(refreshRate: rate).framePeriod == .nanoseconds(period))
        #expect(device(refreshRate: rate).frameBudget == .nanoseconds(budget))
    }

    @Test func `eight milliseconds are 64 percent of a frame's budget at 60 Hz and 128 at 120`() {
        let work = Duration.milliseconds(8).wholeNanoseconds
        #expect(work * 100 / device(refreshRate: 60).frameBudget.wholeNanoseconds == 64)
        #expect(work * 100 / device(refreshRate: 120).frameBudget.wholeNanoseconds == 128)
    }

    @Test func `work costs time by its size and energy by its time`() {
        let processor = ProcessorModel(
            activePower: .milliwatts(500),
            decodePerMegapixel: .milliseconds(20),
            parsePerKibibyte: .microseconds(40),
            launch: .milliseconds(300)
        )
        // 1000 x 750 pixels are 0.75 Mpx: 15 ms. 256 KiB: 10.24 ms. 15 ms x 0.5 W = 7.5 mJ.
        #expect(processor.decodeTime(width: 1_000, height: 750) == .milliseconds(15))
        #expect(processor.parseTime(.kibibytes(256)) == .microseconds(10_240))
        #expect(processor.energy(of: .milliseconds(15)) == Energy(nanojoules: 7_500_000))
    }

    @Test func `currents of the sources become powers at 3.85 volts`() {
        // 57.67, 85 and 5 + 8 mA x 3.85 V, in microwatts.
        let phone = DeviceModel.androidMid
        #expect(phone.processor.activePower.microwatts == 222_030)
        #expect(phone.screenPower.microwatts == 327_250)
        #expect(phone.basePower.microwatts == 50_050)
        #expect(phone.battery.energy == .joules(55_440))
    }

    @Test func `a cap beyond the memory traps`() async {
        await #expect(processExitsWith: .failure) {
            _ = DeviceModel(
                name: "x",
                memory: .mebibytes(1),
                memoryCap: .mebibytes(2),
                battery: BatteryCapacity(milliampereHours: 1),
                processor: DeviceModel.androidMid.processor,
                screenPower: .zero,
                basePower: .zero
            )
        }
    }
}
