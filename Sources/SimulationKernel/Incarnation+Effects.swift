import CVirtualTime
import Quantities

extension Incarnation {
    /// Announces an effect; false means that the process is dead or dies here: do nothing then.
    ///
    /// A death right after the effect (`dieAfter`) lands when the code next calls the kernel, or when its
    /// job ends; use `perform` to let it land before the call returns.
    package func effect(_ kind: EffectKind, _ label: @autoclosure () -> String = "") -> Bool {
        guard canAct else {
            zombieStep()
            return false
        }
        switch decide(kind, label()) {
        case .proceed:
            return true
        case .dieBefore:
            die(in: kind)
            return false
        case .dieAfter:
            core.pointee.isDying = true
            return true
        }
    }

    /// Does an effect, unless the process is dead or dies before it; nil then.
    package func perform<Result>(
        _ kind: EffectKind,
        _ label: @autoclosure () -> String = "",
        _ body: () throws -> Result
    ) rethrows -> Result? {
        guard canAct else {
            zombieStep()
            return nil
        }
        switch decide(kind, label()) {
        case .proceed:
            return try body()
        case .dieBefore:
            die(in: kind)
            return nil
        case .dieAfter:
            let result = try body()
            die(in: kind)
            return result
        }
    }

    private func decide(_ kind: EffectKind, _ label: String) -> EffectDecision {
        effectCount += 1
        effectCounts[Int(kind.rawValue)] += 1
        simulation.note(
            UInt64(kind.rawValue),
            UInt64(effectCount),
            UInt64(index)
        )
        guard recordsEffects || onEffect != nil || killPlan != nil else { return .proceed }
        let record = EffectRecord(
            number: effectCount,
            numberOfKind: effectCounts[Int(kind.rawValue)],
            kind: kind,
            label: label,
            instant: simulation.now
        )
        if recordsEffects { effects.append(record) }
        if let killPlan, killPlan.kinds.contains(kind) {
            plannedEffects += 1
            if plannedEffects == killPlan.number {
                return killPlan.happens ? .dieAfter : .dieBefore
            }
        }
        return onEffect?(record) ?? .proceed
    }

    /// Dies here, in the middle of its own code, at its local time; does nothing if it is dead.
    ///
    /// The code goes on as a zombie until it suspends.
    package func die(cause: String) {
        guard canAct else { return }
        simulation.killFromInside(self, cause: cause)
    }

    private func die(in kind: EffectKind) {
        simulation.killFromInside(self, cause: "died at effect \(effectCount) (\(kind))")
    }

    /// Counts a call of a zombie; code that calls for ever without suspending cannot be abandoned.
    func zombieStep() {
        zombieSteps += 1
        precondition(
            zombieSteps <= zombieStepLimit,
            """
            \(label) was killed and made \(zombieStepLimit) more calls without suspending; \
            a loop that never suspends cannot be abandoned
            """
        )
    }
}
