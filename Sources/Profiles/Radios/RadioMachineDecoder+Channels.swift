import PhoneModel
import Quantities

extension RadioMachineDecoder {
    /// Reads 3G with DCH and FACH.
    func sharedChannel() -> SharedChannelParameters? {
        let power = object("power", of: reader, example: "{ \"idle\": … }")
        let idle: Power? = figure("idle", of: power, path: "power", example: "0mW")
        let fach: Power? = figure("fach", of: power, path: "power", example: "300mW")
        let dch: Power? = figure("dch", of: power, path: "power", example: "1300mW")
        power?.finish()
        let promotions = object("promotion", of: reader, example: "{ \"idle_dch\": … }")
        let fromIdle = span("idle_dch", of: promotions)
        let fromFach = span("fach_dch", of: promotions)
        promotions?.finish()
        let timers = object("timers", of: reader, example: "{ \"dch\": …, \"fach\": … }")
        let dchTimer = timer("dch", of: timers, path: "timers")
        let fachTimer = timer("fach", of: timers, path: "timers")
        timers?.finish()
        let queues = object("queue", of: reader, example: "{ \"up\": …, \"down\": … }")
        let up = queue("up", of: queues)
        let down = queue("down", of: queues)
        queues?.finish()
        let reset = object("reset", of: reader, example: "{ \"size\": …, \"window\": … }")
        let size: ByteCount? = figure("size", of: reset, path: "reset", example: "320B")
        let window = timer("window", of: reset, path: "reset", example: "300ms")
        reset?.finish()
        guard let idle, let fach, let dch, let fromIdle, let fromFach, let dchTimer, let fachTimer,
            let up, let down, let size, let window
        else { return nil }
        return SharedChannelParameters(
            idlePower: idle,
            fachPower: fach,
            dchPower: dch,
            idlePromotion: fromIdle,
            fachPromotion: fromFach,
            dchTimer: dchTimer,
            fachTimer: fachTimer,
            uplinkThreshold: up.threshold,
            downlinkThreshold: down.threshold,
            uplinkDrain: up.drain,
            downlinkDrain: down.drain,
            resetSize: size.bytes,
            resetWindow: window
        )
    }

    private func span(
        _ key: String,
        of parent: ObjectReader?
    ) -> SharedChannelParameters.Promotion? {
        guard let nested = parent.flatMap({ object(key, of: $0, example: "{ \"mean\": … }") })
        else { return nil }
        let path = "promotion.\(key)"
        let least = timer("least", of: nested, path: path, example: "1.5s")
        let mean = timer("mean", of: nested, path: path, example: "2s")
        let most = timer("most", of: nested, path: path, example: "4s")
        let power: Power? = figure("power", of: nested, path: path, example: "650mW")
        nested.finish()
        guard let least, let mean, let most, let power else { return nil }
        guard least <= mean, mean <= most else {
            nested.fail(
                "mean",
                "the mean does not lie between the least and the most",
                remedy: "write least <= mean <= most"
            )
            return nil
        }
        return SharedChannelParameters.Promotion(
            least: least,
            mean: mean,
            most: most,
            power: power
        )
    }

    private func queue(
        _ key: String,
        of parent: ObjectReader?
    ) -> (threshold: Int64, drain: SharedChannelParameters.QueueDrain)? {
        guard let nested = parent.flatMap({ object(key, of: $0, example: "{ \"threshold\": … }") })
        else { return nil }
        let path = "queue.\(key)"
        let threshold: ByteCount? = figure("threshold", of: nested, path: path, example: "543B")
        let law = object("drain", of: nested, example: "{ \"linear\": … }")
        let quadratic: Duration? = figure(
            "quadratic",
            of: law,
            path: path + ".drain",
            example: "1400ns"
        )
        let linear: Duration? = figure("linear", of: law, path: path + ".drain", example: "1.6ms")
        let constant: Duration? = figure(
            "constant",
            of: law,
            path: path + ".drain",
            example: "20ms"
        )
        law?.finish()
        nested.finish()
        guard let threshold, let quadratic, let linear, let constant else { return nil }
        return (
            threshold.bytes,
            SharedChannelParameters.QueueDrain(
                quadratic: quadratic,
                linear: linear,
                constant: constant
            )
        )
    }

    /// Reads 3G by buffers and thresholds.
    func bufferedChannel() -> BufferedChannelParameters? {
        let power = object("power", of: reader, example: "{ \"idle\": … }")
        let idle: Power? = figure("idle", of: power, path: "power", example: "200mW")
        let fach: Power? = figure("fach", of: power, path: "power", example: "500mW")
        let dch: Power? = figure("dch", of: power, path: "power", example: "1300mW")
        power?.finish()
        let timers = object("timers", of: reader, example: "{ \"dch\": …, \"fach\": … }")
        let dchTimer = timer("dch", of: timers, path: "timers")
        let fachTimer = timer("fach", of: timers, path: "timers")
        timers?.finish()
        let limits = object("threshold", of: reader, example: "{ \"idle_up\": … }")
        let sizes = ["idle_up", "idle_down", "fach_up", "fach_down"].map { key in
            figure(key, of: limits, path: "threshold", example: "515B") as ByteCount?
        }
        limits?.finish()
        let drain = object("drain", of: reader, example: "{ \"up_per_byte\": … }")
        let perByte: Duration? = figure("up_per_byte", of: drain, path: "drain", example: "1.2ms")
        let constant: Duration? = figure("up_constant", of: drain, path: "drain", example: "10us")
        let down: Duration? = figure("down", of: drain, path: "drain", example: "30ms")
        drain?.finish()
        let delay = object("promotion", of: reader, example: "{ \"idle_dch\": … }")
        let toFach: Duration? = figure("idle_fach", of: delay, path: "promotion", example: "430ms")
        let toDch: Duration? = figure("idle_dch", of: delay, path: "promotion", example: "1.7s")
        let up: Duration? = figure("fach_dch", of: delay, path: "promotion", example: "650ms")
        delay?.finish()
        let limitsInBytes = sizes.compactMap { $0?.bytes }
        guard let idle, let fach, let dch, let dchTimer, let fachTimer, limitsInBytes.count == 4,
            let perByte, let constant, let down, let toFach, let toDch, let up
        else { return nil }
        return BufferedChannelParameters(
            idlePower: idle,
            fachPower: fach,
            dchPower: dch,
            dchTimer: dchTimer,
            fachTimer: fachTimer,
            uplinkFromIdle: limitsInBytes[0],
            downlinkFromIdle: limitsInBytes[1],
            uplinkFromFach: limitsInBytes[2],
            downlinkFromFach: limitsInBytes[3],
            uplinkDrainPerByte: perByte,
            uplinkDrainConstant: constant,
            downlinkDrain: down,
            idleToFach: toFach,
            idleToDch: toDch,
            fachToDch: up
        )
    }

    /// Reads Wi-Fi power save.
    func powerSave() -> PowerSaveParameters? {
        let power = object("power", of: reader, example: "{ \"psm\": … }")
        let psm: Power? = figure("psm", of: power, path: "power", example: "30mW")
        let cam: Power? = figure("cam", of: power, path: "power", example: "250mW")
        let high: Power? = figure("camh", of: power, path: "power", example: "450mW")
        power?.finish()
        let timer = timer("timer", of: reader, path: "", example: "220ms")
        let rate = object("high_rate", of: reader, example: "{ \"window\": … }")
        let window = self.timer("window", of: rate, path: "high_rate", example: "50ms")
        let threshold: ByteCount? = figure(
            "above",
            of: rate,
            path: "high_rate",
            example: "3000B"
        )
        rate?.finish()
        guard let psm, let cam, let high, let timer, let window, let threshold else { return nil }
        return PowerSaveParameters(
            psmPower: psm,
            camPower: cam,
            camHighPower: high,
            timer: timer,
            window: window,
            threshold: threshold.bytes
        )
    }
}
