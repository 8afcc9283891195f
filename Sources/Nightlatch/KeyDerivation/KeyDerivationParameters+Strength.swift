extension KeyDerivationParameters {
    /// Whether a guess at a PIN costs an attacker less under these parameters than under `wanted`. If so, a vault
    /// should upgrade them at its next unlock.
    ///
    /// - Two settings of Argon2id are compared by their memory and by the KiB that all their passes fill. The weaker
    ///   one is lower in at least one of the two and higher in neither. Two settings can differ without either being
    ///   weaker. This is a strict order, so repeated upgrades always terminate. Lanes do not count: they make no guess
    ///   cheaper.
    /// - Of two different functions, the weaker one is that for which ``AttackCost`` gives more guesses per second.
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
