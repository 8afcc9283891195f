import NightlatchWire

extension UserKeys {
    /// Creates the key of `entry` and its protection. With biometrics, the person is asked to use the key once.
    func makeKey(
        _ entry: UserKeyEntry,
        pin: consuming Pin?,
        _ person: some UserKeyPerson,
        _ deadline: UserKeyDeadline
    ) async throws(UserKeyError) -> any DeviceKey {
        switch entry.protection {
        case .none: return try await createKey(entry.tag, .unattended)
        case .pin:
            guard let chosen = pin else { throw .cancelled }
            return try await makeKey(entry.tag, behind: chosen)
        case .biometrics, .biometricsOrPasscode:
            guard let keyring = keyring(entry.tag, entry.protection) else { throw .unsupported }
            let box = try await makeKey(entry.tag, behind: keyring)
            // Proves that the person can use the key, before it is sent to a server.
            return try await find(entry.tag, in: box, keyring, reason: person.reason, deadline)
        }
    }

    private func makeKey(_ tag: KeyTag, behind pin: consuming Pin) async throws(UserKeyError) -> any DeviceKey {
        let open: OpenVault
        do {
            open = try await vault(tag).create(with: pin)
        } catch {
            throw UserKeyError(error)
        }
        let password = SecretBytes.random(byteCount: 32)
        do {
            try await open.setAny(password, named: .deviceKeyPassword)
        } catch {
            throw UserKeyError(error)
        }
        await open.lock()
        return try await createKey(tag, .applicationPassword(password))
    }

    private func makeKey(
        _ tag: KeyTag,
        behind keyring: any BiometricKeyring
    ) async throws(UserKeyError) -> HPKEBox {
        let password = SecretBytes.random(byteCount: 32)
        let box: HPKEBox
        do throws(BiometricError) {
            let publicKey = try await keyring.create(.first)
            do {
                box = try HPKEBox(
                    sealing: password, to: publicKey, suite: HPKEBox.biometricSuite, info: Self.boxInfo(tag))
            } catch {
                // The keyring has created a key that is useless for key agreement.
                throw .corrupt
            }
        } catch {
            throw .biometrics(error)
        }
        try await update { $0[tag]?.box = box }
        _ = try await createKey(tag, .applicationPassword(password))
        return box
    }

    private func createKey(_ tag: KeyTag, _ access: consuming KeyAccess) async throws(UserKeyError) -> any DeviceKey {
        do {
            return try await deviceKeys.create(tag, access: access)
        } catch {
            throw .key(error)
        }
    }
}

extension UserKeyError {
    init(_ error: CreateVaultError) {
        switch error {
        case .exists: self = .superseded
        case .pinRefused(let objections): self = .pinRefused(objections)
        case .vault(let error): self = error.code == .hardener ? .unsupported : .vault(error)
        }
    }
}
