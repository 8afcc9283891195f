/// The keys that this process has created, or is creating, and has not sent yet.
///
/// If the registry has a key with the stage `made` that is not among them, a crash has left it.
actor UnsentUserKeys {
    private var tags: Set<KeyTag> = []

    func add(_ tags: Set<KeyTag>) {
        self.tags.formUnion(tags)
    }

    func remove(_ tags: Set<KeyTag>) {
        self.tags.subtract(tags)
    }

    /// Returns those of `tags` that this process will not send.
    func abandoned(among tags: Set<KeyTag>) -> Set<KeyTag> { tags.subtracting(self.tags) }
}
