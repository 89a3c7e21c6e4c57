import Quantities

/// A guarantee that was broken: where, when, what happened to whom.
package struct GuaranteeBreach: Codable, Sendable, Equatable {
    /// Which one.
    package var guarantee: GuaranteeName
    /// The seed of the run.
    package var seed: UInt64
    /// When it was seen to be broken.
    package var instant: SimulationInstant
    /// The device, counted from zero.
    package var device: Int
    /// The identity that it happened to, such as "m12"; empty if none.
    package var subject: String
    /// The entity that the identity belongs to, such as the conversation; empty if none.
    package var entity: String
    /// The part of the client that is to blame: the workload verb, or the route.
    package var owner: String
    /// What happened to whom, as a sentence with virtual times, without a stop.
    package var message: String
    /// What led to it, in order of time; a dozen lines or so.
    package var story: [StoryLine]
    /// How often the same was seen in the run.
    package var occurrences: Int

    /// Makes a breach.
    package init(
        guarantee: GuaranteeName,
        seed: UInt64,
        instant: SimulationInstant,
        device: Int,
        subject: String,
        entity: String,
        owner: String,
        message: String,
        story: [StoryLine] = [],
        occurrences: Int = 1
    ) {
        self.guarantee = guarantee
        self.seed = seed
        self.instant = instant
        self.device = device
        self.subject = subject
        self.entity = entity
        self.owner = owner
        self.message = message
        self.story = story
        self.occurrences = occurrences
    }

    /// What makes two failures the same failure, when plans are replayed or shrunk.
    package var failureIdentity: FailureIdentity {
        FailureIdentity(guarantee: guarantee, entity: entity, owner: owner)
    }

    /// The breach of a client whose code trapped and took its worker process along.
    package static func crash(
        seed: UInt64,
        at instant: SimulationInstant,
        detail: String
    ) -> GuaranteeBreach {
        GuaranteeBreach(
            guarantee: .noCrash,
            seed: seed,
            instant: instant,
            device: 0,
            subject: "app",
            entity: "",
            owner: "app",
            message: "the app crashed: \(detail)"
        )
    }
}

/// What makes two failures the same failure.
package struct FailureIdentity: Hashable, Codable, Sendable {
    /// The guarantee that broke.
    package let guarantee: GuaranteeName
    /// The entity it broke for; empty if none.
    package let entity: String
    /// The part of the client that is to blame.
    package let owner: String

    /// Makes an identity.
    package init(guarantee: GuaranteeName, entity: String, owner: String) {
        self.guarantee = guarantee
        self.entity = entity
        self.owner = owner
    }
}

/// One line of a story: when, and what happened.
package struct StoryLine: Codable, Sendable, Equatable {
    /// When.
    package let instant: SimulationInstant
    /// What, as half a sentence.
    package let text: String

    /// Makes a line.
    package init(_ instant: SimulationInstant, _ text: String) {
        self.instant = instant
        self.text = text
    }
}
