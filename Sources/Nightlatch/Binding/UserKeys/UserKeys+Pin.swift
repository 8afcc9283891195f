import NightlatchWire

extension UserKeys {
    /// Asks for a new PIN until the policy accepts it, within the call's limit.
    func choosePin(
        for vault: Vault,
        _ person: some UserKeyPerson,
        _ deadline: UserKeyDeadline
    ) async throws(UserKeyError) -> Pin {
        guard person.canTypePin else { throw .unsupported }
        var refusal = UserKeyError.cancelled
        var fault: ChosenPinFault?
        for _ in 1...max(1, person.pinTries) {
            guard let typed = await person.choosePin(under: vault.pinPolicy, after: fault) else {
                throw deadline.reason
            }
            try deadline.check()
            do {
                let pin = try Pin(digits: typed)
                let objections = vault.objections(to: pin)
                if objections.isEmpty { return pin }
                (fault, refusal) = (.objections(objections), .pinRefused(objections))
            } catch {
                (fault, refusal) = (.format(error), .noPin(error))
            }
        }
        throw refusal
    }

    /// Asks for the PIN until it opens the key's vault, within the call's limit.
    ///
    /// - Returns: The key's application password.
    func enterPin(
        for tag: KeyTag,
        _ person: some UserKeyPerson,
        _ deadline: UserKeyDeadline
    ) async throws(UserKeyError) -> SecretBytes {
        let vault = vault(tag)
        try await checkState(of: vault)
        guard person.canTypePin else { throw .unsupported }
        var fault: EnteredPinFault?
        for _ in 1...max(1, person.pinTries) {
            guard let typed = await person.enterPin(after: fault) else { throw deadline.reason }
            try deadline.check()
            let pin: Pin
            do {
                pin = try Pin(digits: typed)
            } catch {
                fault = .format(error)
                continue
            }
            switch try await tryOut(pin, in: vault) {
            case .opened(let password): return password
            case .wrong(let triesLeft): fault = .wrong(triesLeft: triesLeft)
            case .waits(let triesLeft): throw .wrongPin(triesLeft: triesLeft)
            }
        }
        if case .wrong(let triesLeft) = fault { throw .wrongPin(triesLeft: triesLeft) }
        throw .wrongPin(triesLeft: nil)
    }

    private enum Trial: ~Copyable {
        case opened(SecretBytes)
        case wrong(triesLeft: Int)
        /// The PIN was wrong, and no other is tried for a while.
        case waits(triesLeft: Int)
    }

    private func checkState(of vault: Vault) async throws(UserKeyError) {
        let state: VaultState
        do {
            state = try await vault.state()
        } catch {
            throw .vault(error)
        }
        switch state {
        case .ready: return
        case .waiting(let time, triesLeft: _): throw .pinWaiting(time)
        // A vault that is not found may still exist, so this must not lead to a new binding.
        case .absent: throw .vault(.store(StoreError(.unavailable)))
        case .erased, .blocked: throw .pinBlocked
        }
    }

    private func tryOut(_ pin: consuming Pin, in vault: Vault) async throws(UserKeyError) -> Trial {
        let open: OpenVault
        do {
            open = try await vault.unlock(with: pin)
        } catch {
            switch error {
            case .refused(.wrong(let triesLeft, wait: nil)): return .wrong(triesLeft: triesLeft)
            case .refused(.wrong(let triesLeft, wait: .some)): return .waits(triesLeft: triesLeft)
            case .refused(.waiting(let time, triesLeft: _)): throw .pinWaiting(time)
            case .refused(.blocked), .refused(.erased): throw .pinBlocked
            case .noVault: throw .vault(.store(StoreError(.unavailable)))
            // The vaults of these keys are created without a hardener.
            case .vault(let error) where error.code == .noHardener: throw .unsupported
            case .vault(let error): throw .vault(error)
            case .cancelled: throw .cancelled
            }
        }
        let password: SecretBytes?
        do {
            password = try await open.anySecret(named: .deviceKeyPassword)
        } catch {
            throw UserKeyError(error)
        }
        await open.lock()
        guard let password else { throw .vault(.corrupt) }
        return .opened(password)
    }
}
