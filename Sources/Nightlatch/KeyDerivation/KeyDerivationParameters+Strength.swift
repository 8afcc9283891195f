extension KeyDerivationParameters {
    /// Whether a guess at a PIN costs an attacker less under these parameters than under `wanted`, so that a vault should raise
    /// them at its next unlock.
    ///
    /// PBKDF2 is weaker than any Argon2id, since it takes no memory; of two PBKDF2 the one with fewer iterations is weaker. Of
    /// two Argon2id the one is weaker that fills less memory, or fills fewer KiB in all passes together; so each of two can be
    /// weaker than the other, and the wanted one is then to be taken. Lanes do not count: they make nobody's guess cheaper.
    public func isWeaker(than wanted: KeyDerivationParameters) -> Bool {
        switch (self, wanted) {
        case (.pbkdf2(let iterations), .pbkdf2(let wanted)): iterations < wanted
        case (.pbkdf2, .argon2id): true
        case (.argon2id, .pbkdf2): false
        case (.argon2id(let memory, let passes, _), .argon2id(let wantedMemory, let wantedPasses, _)):
            memory < wantedMemory
                || memory.multipliedFullWidth(by: passes) < wantedMemory.multipliedFullWidth(by: wantedPasses)
        }
    }
}
