/// One registration of a profile, from the choice of its PIN to the write that registers it.
struct Registration<Failure: Error>: Sendable {
    private let profiles: Profiles
    private let profile: Profile
    private let vault: Vault

    init(profiles: Profiles, profile: Profile) {
        self.profiles = profiles
        self.profile = profile
        vault = profiles.vault(of: profile)
    }

    func run(
        prompt: any PinPrompt,
        completing body: (Profile, OpenVault) async throws(Failure) -> Void
    ) async throws(RegistrationError<Failure>) -> RegistrationOutcome {
        // Check before the user is asked for anything.
        try await checkRoom()
        let pin: Pin?
        do {
            pin = try await PinCreation(
                prompt: prompt, profile: profile, purpose: .registration, rules: vault.newPinRules()
            ).run()
        } catch {
            throw .emptyPinBox
        }
        guard let pin else { return .cancelled }
        try await begin()
        let open: OpenVault
        do {
            open = try await vault.create(with: pin)
        } catch {
            if error.leavesAnothersVault { await drop() } else { await undo() }
            switch error {
            case .exists: throw .vaultExists
            case .pinRefused(let objections): throw .pinRefused(objections)
            case .vault(let error): throw .create(error)
            }
        }
        do {
            try await body(profile, open)
        } catch {
            await undo()
            throw .completion(error)
        }
        return .registered(try await finish(pinLength: pin.length), open)
    }

    private func checkRoom() async throws(RegistrationError<Failure>) {
        let record: ProfileRegistryRecord
        do {
            record = try await profiles.registry.read()
        } catch {
            throw .registry(error)
        }
        guard record.hasRoom else { throw .tooManyProfiles(limit: ProfileRegistryRecord.greatestProfileCount) }
        let state: VaultState
        do {
            state = try await vault.state()
        } catch {
            throw .vault(error)
        }
        guard state == .absent || state == .erased else { throw .vaultExists }
    }

    /// Writes to the registry that the profile is being registered, before anything is created.
    private func begin() async throws(RegistrationError<Failure>) {
        let hasRoom: Bool
        do {
            hasRoom = try await profiles.registry.update { record in
                guard record.hasRoom else { return false }
                record[profile.id] = ProfileEntry(registering: profile)
                return true
            }
        } catch {
            throw .registry(error)
        }
        guard hasRoom else { throw .tooManyProfiles(limit: ProfileRegistryRecord.greatestProfileCount) }
    }

    /// Marks the profile as registered, in one write.
    private func finish(pinLength: Int) async throws(RegistrationError<Failure>) -> Profile {
        let finished: ProfileEntry?
        do {
            finished = try await profiles.registry.update { record in
                guard var entry = record[profile.id], entry.stage == .registering else { return nil }
                entry.stage = .registered
                if profiles.remembersPinLengths { entry.pinIsSet(length: pinLength) }
                record[profile.id] = entry
                return entry
            }
        } catch {
            await undo()
            throw .registry(error)
        }
        guard let finished else {
            await undo()
            throw .undone
        }
        return profiles.profile(finished)
    }

    /// Removes what was created. If that fails, the registry still lists the profile as being registered, and
    /// ``Profiles/resume()`` removes it.
    ///
    /// This reports no error: the caller throws the reason for the failed registration, which matters more.
    private func undo() async {
        do {
            try await profiles.retire(profile.id, known: ProfileEntry(registering: profile))
        } catch {
            return
        }
    }

    /// Removes only the registry entry: the vault in the store belongs to another profile.
    private func drop() async {
        do {
            try await profiles.registry.update { $0[profile.id] = nil }
        } catch {
            return
        }
    }
}

extension CreateVaultError {
    /// Whether the store has a vault that this registration did not create, even if the store did not find it when it
    /// was read.
    fileprivate var leavesAnothersVault: Bool {
        switch self {
        case .exists: true
        case .vault(let error): (error.cause as? StoreError)?.contradicts ?? false
        case .pinRefused: false
        }
    }
}
