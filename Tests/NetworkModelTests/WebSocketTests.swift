import Quantities
import SimulationKernel
import Testing
import Trace

@testable import NetworkModel

@Suite struct `Live sockets` {
    /// Writes down what an end is told, and when.
    private final class Log: WebSocketEvents {
        let simulation: Simulation
        var openedAt: SimulationInstant?
        var messages: [(bytes: Int, at: SimulationInstant)] = []
        var closing: (reason: WebSocketClosing, at: SimulationInstant)?

        init(_ simulation: Simulation) {
            self.simulation = simulation
        }

        func opened(_ socket: WebSocket) { openedAt = simulation.instant }
        func message(_ bytes: [UInt8], on socket: WebSocket) {
            messages.append((bytes.count, simulation.instant))
        }
        func closed(_ socket: WebSocket, _ reason: WebSocketClosing) {
            closing = (reason, simulation.instant)
        }
    }

    private final class Server: WebSocketAcceptor {
        let log: Log
        var socket: WebSocket?

        init(_ simulation: Simulation) {
            log = Log(simulation)
        }

        func accept(_ socket: WebSocket) -> any WebSocketEvents {
            self.socket = socket
            return log
        }
    }

    /// A phone at a round trip of 100 ms with a socket that is being opened.
    private final class Line {
        let world = TestWorld()
        let client: Log
        let server: Server
        let socket: WebSocket

        init(
            heartbeat: WebSocketHeartbeat = .init(),
            serverHeartbeat: WebSocketHeartbeat = .none,
            host: String = "a.example"
        ) {
            client = Log(world.simulation)
            server = Server(world.simulation)
            socket = WebSocket.connect(
                on: world.network,
                host: host,
                acceptor: server,
                events: client,
                owner: "live",
                heartbeat: heartbeat,
                serverHeartbeat: serverHeartbeat
            )
        }
    }

    // TCP, TLS 1.3 and the upgrade: a round trip each. The server has the upgrade after 2.5.
    @Test func `it is open after three round trips, and messages take half of one`() {
        let line = Line()
        line.world.run(1)
        #expect(line.client.openedAt?.nanoseconds == 300_000_000)
        #expect(line.server.log.openedAt?.nanoseconds == 250_000_000)
        #expect(line.socket.send([1, 2, 3]))
        line.server.socket?.send(Array(repeating: 7, count: 10_000))
        line.world.run(1)
        #expect(line.server.log.messages.map(\.bytes) == [3])
        #expect(line.server.log.messages.first?.at.nanoseconds == 1_050_000_000)
        #expect(line.client.messages.map(\.bytes) == [10_000])
    }

    // RFC 6455, 5.2: lengths to 125 in the header, to 65,535 in 2 bytes more, then in 8; a mask of 4.
    @Test(arguments: [
        (0, 2), (125, 127), (126, 130), (65_535, 65_539), (65_536, 65_546),
    ])
    func `frames have their headers`(payload: Int, size: Int) {
        #expect(WebSocketCosts.frame(of: payload, isMasked: false) == size)
        #expect(WebSocketCosts.frame(of: payload, isMasked: true) == size + 4)
    }

    // Open at 0.3 s, so pings go at 30.3, 60.3, … s. The hole begins at 50 s; the ping at 60.3 s stays
    // unanswered and is given up 10 s later.
    @Test func `a heartbeat finds a peer that vanished without a word`() {
        let line = Line()
        line.world.run(50)
        line.world.network.interrupt(.blackhole, for: .seconds(10_000))
        line.world.run(100)
        #expect(line.client.closing?.reason == .unanswered)
        #expect(line.client.closing?.at.nanoseconds == 70_300_000_000)
        #expect(line.socket.stage == .closed)
    }

    // The twin without a heartbeat: with nothing in flight TCP has nothing to miss.
    @Test func `without a heartbeat the hole is never noticed`() {
        let line = Line(heartbeat: .none)
        line.world.run(50)
        line.world.network.interrupt(.blackhole, for: .seconds(10_000))
        line.world.run(3_000)
        #expect(line.client.closing == nil)
        #expect(line.socket.stage == .open)
    }

    // A new address kills the phone's end at once and the server's silently; the server's own ping, at
    // 0.25 + 45 s, is not answered, and it gives up 15 s later.
    @Test func `after a change of address only a heartbeat tells the server`() {
        let line = Line(serverHeartbeat: .init(interval: .seconds(45), timeout: .seconds(15)))
        line.world.run(20)
        line.world.network.dropConnections()
        #expect(line.client.closing?.reason == .addressLost)
        line.world.run(100)
        #expect(line.server.log.closing?.reason == .unanswered)
        #expect(line.server.log.closing?.at.nanoseconds == 60_250_000_000)
    }

    @Test func `a heartbeat that is answered keeps it open for an hour`() {
        let line = Line(serverHeartbeat: .init())
        line.world.run(3_600)
        #expect(line.client.closing == nil)
        #expect(line.server.log.closing == nil)
        #expect(line.socket.send([1]))
        line.world.run(1)
        #expect(line.server.log.messages.count == 1)
    }

    @Test func `closing in good order tells both ends`() {
        let line = Line()
        line.world.run(1)
        line.socket.close()
        #expect(!line.socket.send([1]))
        line.world.run(1)
        #expect(line.client.closing?.reason == .finished)
        #expect(line.server.log.closing?.reason == .finished)
        // The server is told after half a round trip, the client by its answer after a whole one.
        #expect(line.server.log.closing?.at.nanoseconds == 1_050_000_000)
        #expect(line.client.closing?.at.nanoseconds == 1_100_000_000)
    }

    @Test func `no name, no route and nobody there are told apart`() {
        let unknown = Line(host: "nowhere.example")
        unknown.world.run(1)
        #expect(unknown.client.closing?.reason == .nameNotFound)
        let refused = Line()
        refused.world.internet.setAvailability(.refusing, of: "a.example")
        refused.world.run(1)
        #expect(refused.client.closing?.reason == .refused)
        let cut = Line()
        cut.world.network.interrupt(.down, for: .seconds(5))
        cut.world.run(1)
        #expect(cut.client.closing?.reason == .notConnected)
    }

    @Test func `a process that dies ends the stream, and the server is told`() {
        let line = Line()
        line.world.run(1)
        line.socket.processDied()
        line.world.run(1)
        #expect(line.client.closing == nil)
        #expect(line.server.log.closing?.reason == .reset)
    }

    @Test func `a phone without power says nothing`() {
        let line = Line()
        line.world.run(1)
        let before = line.world.log.crossings.count
        line.socket.powerLost()
        line.world.run(20)
        #expect(line.world.log.crossings.count == before)
        #expect(line.client.closing == nil)
        #expect(line.server.log.closing == nil)
        #expect(line.world.log.closings == [.processDied])
    }
}
