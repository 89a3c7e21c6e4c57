import Testing

@testable import ClientModules

@Suite struct LRUIndexTests {
    /// Against a list that is searched from end to end.
    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func `it does what a plain list does`(seed: UInt64) {
        let random = SeededRandom(seed: seed)
        var index = LRUIndex<Int>()
        var list: [(key: Int, cost: Int64)] = []
        for _ in 1...2_000 {
            let key = Int(random.next() % 30)
            switch random.next() % 5 {
            case 0, 1:
                let cost = Int64(random.next() % 100)
                index.insert(key, cost: cost)
                list.removeAll { $0.key == key }
                list.append((key, cost))
            case 2:
                let known = list.firstIndex { $0.key == key }
                #expect(index.touch(key) == (known != nil))
                if let known { list.append(list.remove(at: known)) }
            case 3:
                let cost = list.first { $0.key == key }?.cost
                #expect(index.remove(key) == cost)
                list.removeAll { $0.key == key }
            default:
                let limit = Int64(random.next() % 800)
                var gone: [Int] = []
                while list.reduce(0, { $0 + $1.cost }) > limit {
                    gone.append(list.removeFirst().key)
                }
                #expect(index.trim(to: limit) == gone)
            }
            #expect(index.total == list.reduce(0) { $0 + $1.cost })
            #expect(index.count == list.count)
        }
    }

    // The check value of CRC-32/ISO-HDLC for "123456789".
    @Test func `the checksum is that of gzip`() {
        let value = Array("123456789".utf8).withUnsafeBytes { Checksum32.of($0) }
        #expect(value == 0xCBF4_3926)
    }
}
