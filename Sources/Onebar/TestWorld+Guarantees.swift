extension TestWorld {
    /// Declares something that is true whenever your code checks it.
    ///
    /// ```swift
    /// let inTurn = world.always("messages leave in turn")
    /// ...  inTurn.check(number == last + 1, "\(number) after \(last)")
    /// ```
    public func always(_ name: String) -> Guarantee { declare(name, .always) }

    /// Declares something that is true at no check.
    public func never(_ name: String) -> Guarantee { declare(name, .never) }

    /// Declares something that is true at one check at least, over all runs of the test.
    ///
    /// For what makes a test worth its name, such as that a message was sent a second time at all.
    public func sometimes(_ name: String) -> Guarantee { declare(name, .sometimes) }

    func declare(_ name: String, _ kind: Guarantee.Kind) -> Guarantee {
        if let guarantee = book.register(name, kind) { return guarantee }
        mistakes.append(
            name.isEmpty
                ? "a guarantee has no name" : "two guarantees are called '\(name)': rename one"
        )
        return Guarantee(name, kind, in: book)
    }
}
