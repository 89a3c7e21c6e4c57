import PhoneModel
import Quantities
import SimulationKernel
import Testing
import Trace

@Suite struct AppLifecycleTests {
    let bench = PhoneBench()

    private func lifecycle() -> AppLifecycle {
        AppLifecycle(simulation: bench.simulation, observations: bench.observations, device: 2)
    }

    @Test func `launch, background, kill and relaunch are reported in order`() {
        let app = lifecycle()
        let first = app.launch(.firstLaunch)
        app.enter(.background)
        #expect(app.end(.injectedKill))
        let second = app.launch(.relaunchAfterKill)
        #expect(first == ProcessLabel(device: 2, launch: 1))
        #expect(second == ProcessLabel(device: 2, launch: 2))
        #expect(
            bench.observed == [
                .processLaunched(first, .firstLaunch), .appStateChanged(.foreground),
                .appStateChanged(.background), .processEnded(first, .injectedKill),
                .appStateChanged(.notRunning), .processLaunched(second, .relaunchAfterKill),
                .appStateChanged(.background),
            ]
        )
        #expect(bench.records.allSatisfy { $0.device == 2 })
        #expect(app.launches == 2)
        #expect(app.lastExit == .injectedKill)
        #expect(app.exits(by: .injectedKill) == 1)
    }

    @Test func `after a force-quit only the user may start the app`() {
        let app = lifecycle()
        app.launch(.firstLaunch)
        app.end(.forceQuit)
        #expect(app.isForceQuit)
        for cause in [LaunchCause.system, .relaunchAfterKill, .reboot] {
            #expect(!app.mayLaunch(cause))
        }
        #expect(app.mayLaunch(.userOpened))
        app.launch(.userOpened)
        #expect(!app.isForceQuit)
        app.end(.systemKill)
        #expect(app.mayLaunch(.system))
    }

    @Test func `a force-quit of an app that does not run counts all the same`() {
        let app = lifecycle()
        app.launch(.firstLaunch)
        app.end(.systemKill)
        #expect(!app.end(.forceQuit))
        #expect(app.isForceQuit)
        #expect(app.exits(by: .forceQuit) == 0)
        #expect(app.lastExit == .systemKill)
    }

    @Test func `an end without a process is told and does nothing`() {
        let app = lifecycle()
        #expect(!app.end(.injectedKill))
        #expect(bench.records.isEmpty)
    }

    @Test func `entering the present state is no change`() {
        let app = lifecycle()
        var changes: [AppState] = []
        app.onChange = { changes.append($0) }
        app.launch(.firstLaunch)
        app.enter(.foreground)
        app.enter(.background)
        app.enter(.suspended)
        app.enter(.background)
        app.end(.crash)
        #expect(changes == [.foreground, .background, .suspended, .background, .notRunning])
    }

    @Test func `a launch may be told where to come up`() {
        let app = lifecycle()
        app.launch(.relaunchAfterKill, into: .foreground)
        #expect(app.state == .foreground)
        #expect(!app.mayLaunch(.userOpened))
    }

    @Test func `suspending an app in front traps`() async {
        await #expect(processExitsWith: .failure) {
            let bench = PhoneBench()
            let app = AppLifecycle(simulation: bench.simulation, observations: bench.observations)
            app.launch(.firstLaunch)
            app.enter(.suspended)
        }
    }
}
