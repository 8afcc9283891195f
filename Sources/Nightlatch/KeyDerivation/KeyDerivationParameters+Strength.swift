extension KeyDerivationParameters {
    /// Whether a guess at a PIN costs an attacker less under these parameters than under `wanted`, so that a vault should raise
    /// them at its next unlock.
    ///
    /// Of two Argon2id the one is weaker that fills less memory or fewer KiB in all passes together, and is better in neither. So of two
    /// sets neither may be weaker, and raising comes to an end whoever wants what. Lanes do not count: they make nobody's guess
    /// cheaper. Of two different functions the one is weaker at which ``AttackCost`` sees more guesses a second.
    public func isWeaker(than wanted: KeyDerivationParameters) -> Bool {
        switch (self, wanted) {
        case (.pbkdf2(let iterations), .pbkdf2(let wanted)): return iterations < wanted
        case (.argon2id(let memory, let passes, _), .argon2id(let wantedMemory, let wantedPasses, _)):
            let filled = memory.multipliedFullWidth(by: passes)
            let wantedFilled = wantedMemory.multipliedFullWidth(by: wantedPasses)
            return memory <= wantedMemory && filled <= wantedFilled && (memory, passes) != (wantedMemory, wantedPasses)
        case (.pbkdf2, .argon2id), (.argon2id, .pbkdf2):
            return AttackCost(of: self).guessesPerSecond > AttackCost(of: wanted).guessesPerSecond
        }
    }
}
