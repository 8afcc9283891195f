/// The keys that somebody in this process has made, or is making, and has not sent yet. A key that the registry has as made and that is not among
/// them is what a crash has left.
actor UnsentUserKeys {
    private var tags: Set<KeyTag> = []

    func add(_ tags: Set<KeyTag>) {
        self.tags.formUnion(tags)
    }

    func remove(_ tags: Set<KeyTag>) {
        self.tags.subtract(tags)
    }

    /// Those of `tags` that nobody here will send.
    func abandoned(among tags: Set<KeyTag>) -> Set<KeyTag> { tags.subtracting(self.tags) }
}
