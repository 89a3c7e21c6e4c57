import ClientModules
import Quantities
import Testing

@Suite struct PixelSizeTests {
    // F15: width x height x 4.
    @Test(
        arguments: [
            (1_080, 2_400, 10_368_000), (4_000, 3_000, 48_000_000), (4_032, 3_024, 48_771_072),
            (4_096, 4_096, 67_108_864),
        ] as [(Int, Int, Int64)]
    )
    func `a bitmap occupies four bytes a pixel`(width: Int, height: Int, bytes: Int64) {
        #expect(PixelSize(width: width, height: height).bitmapBytes.bytes == bytes)
    }

    // F15: 4000 / 4 = 1000 and 3000 / 4 = 750 fill 540; 3000 / 8 = 375 does not.
    @Test func `12 megapixels for a place of 540 are decoded at a quarter`() {
        let plan = ImageDecodePlan(
            source: PixelSize(width: 4_000, height: 3_000),
            target: PixelSize(width: 540, height: 540)
        )
        #expect(plan.factor == 4)
        #expect(plan.size == PixelSize(width: 1_000, height: 750))
        #expect(plan.size.bitmapBytes.bytes == 3_000_000)
    }

    @Test func `a picture smaller than its place is left as it is`() {
        let small = PixelSize(width: 100, height: 80)
        #expect(small.downsamplingFactor(for: PixelSize(width: 540, height: 540)) == 1)
        // One side is smaller: dividing the other would blur it.
        let wide = PixelSize(width: 4_000, height: 80)
        #expect(wide.downsamplingFactor(for: PixelSize(width: 540, height: 60)) == 1)
    }

    @Test func `no factor goes below the place, and the next one would`() {
        let random = SeededRandom(seed: 15)
        for _ in 1...2_000 {
            let source = PixelSize(
                width: Int(random.next() % 5_000) + 1,
                height: Int(random.next() % 5_000) + 1
            )
            let target = PixelSize(
                width: Int(random.next() % 1_500) + 1,
                height: Int(random.next() % 1_500) + 1
            )
            let factor = source.downsamplingFactor(for: target)
            let size = source.divided(by: factor)
            #expect(factor & (factor - 1) == 0)
            if factor > 1 { #expect(size.width >= target.width && size.height >= target.height) }
            let fits =
                source.width / (factor * 2) >= target.width
                && source.height / (factor * 2) >= target.height
            #expect(!fits)
        }
    }
}
