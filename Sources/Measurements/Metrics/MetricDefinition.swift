/// What a metric means, exactly: `onebar explain` and the report print it.
package struct MetricDefinition: Sendable, Equatable {
    /// The name.
    package let name: MetricName
    /// The unit of its values.
    package let unit: MetricUnit
    /// What it is, in one sentence.
    package let meaning: String
    /// How it is computed from the observations, in one or two sentences.
    package let computation: String
    /// What in the simulation produces it, such as "radio model".
    package let module: String
    /// Whether one seed gives many samples; statistics then pool the samples of all seeds.
    package let isSampled: Bool
    /// The guarantee that judges it instead, if it cannot have a budget.
    package let guarantee: GuaranteeName?
    /// Whether the lab's world reports its samples one by one, as a user's test does with its own.
    package let isReported: Bool

    /// Makes a definition.
    package init(
        _ name: String,
        _ unit: MetricUnit,
        _ meaning: String,
        computed computation: String,
        by module: String,
        isSampled: Bool = false,
        guarantee: GuaranteeName? = nil,
        isReported: Bool = false
    ) {
        self.name = MetricName(name)
        self.unit = unit
        self.meaning = meaning
        self.computation = computation
        self.module = module
        self.isSampled = isSampled
        self.guarantee = guarantee
        self.isReported = isReported
    }
}
