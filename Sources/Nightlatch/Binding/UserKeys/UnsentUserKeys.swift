/// The keys that this process has created, or is creating, and has not sent yet.
///
/// A key in the registry that has the stage `made` and is not among them is left over from a crash.
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
