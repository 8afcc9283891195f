package import Foundation
package import NightlatchWire

/// Whose key is to be made, and how it is to be protected.
package struct UserKeyRequest: Sendable {
    let owner: UserKeyOwner
    let userName: String
    let name: String
    let label: String?
    let protection: UserKeyProtection
    let createdAt: NumericDate

    package init(
        owner: UserKeyOwner,
        userName: String,
        name: String,
        label: String?,
        protection: UserKeyProtection,
        createdAt: NumericDate
    ) {
        self.owner = owner
        self.userName = userName
        self.name = name
        self.label = label
        self.protection = protection
        self.createdAt = createdAt
    }
}

/// A message that a user's key has signed.
package struct SignedByUserKey: Sendable {
    package let key: UserKeyEntry
    /// The device's name for itself, the same for all servers and users.
    package let deviceID: String
    package let signingInput: Data
    package let signature: [UInt8]
}

extension UserKeys {
    /// Makes a key, has the person show that they can use it, and signs with it. Keys that were there are not touched.
    ///
    /// The key is offered to nobody yet: ``offer(_:)`` comes before it is sent. Where this throws, or the process ends, nothing of the new
    /// key is left, at the latest after the next binding.
    ///
    /// - Parameters:
    ///   - request: Whose key, and how it is to be protected.
    ///   - person: Who is asked.
    ///   - deadline: By when.
    ///   - message: Makes the bytes to sign, for a key that is known by now.
    /// - Throws: ``UserKeyError``.
    package func bind(
        _ request: UserKeyRequest,
        person: some UserKeyPerson,
        deadline: UserKeyDeadline,
        message: (UserKeyEntry, PublicJWK, SignatureAlgorithm) -> Data
    ) async throws(UserKeyError) -> SignedByUserKey {
        let tag = KeyTag.random()
        try await checkSupport(of: request.protection, for: tag)
        // Before anything is made: a person who cancels leaves nothing behind.
        var pin: Pin?
        if request.protection == .pin { pin = try await choosePin(for: vault(tag), person, deadline) }
        try deadline.check()
        let entry = UserKeyEntry(
            tag: tag, keyID: UUID().uuidString, owner: request.owner, userName: request.userName, name: request.name,
            label: request.label, protection: request.protection, createdAt: request.createdAt, stage: .made)
        let deviceID = try await add(entry)
        do throws(UserKeyError) {
            try await finishLeaving()
            let key = try await makeKey(entry, pin: pin.take(), person, deadline)
            let signed = try await sign(with: key, of: entry, deviceID: deviceID, message)
            try deadline.check()
            guard try await read()[tag]?.stage == .made else { throw .superseded }
            return signed
        } catch {
            await discard(tag)
            throw error
        }
    }

    /// Writes down that the keys under `tags` are about to be sent.
    ///
    /// - Throws: ``UserKeyError/superseded`` if one of them is not there any more; then none must be sent.
    package func offer(_ tags: Set<KeyTag>) async throws(UserKeyError) {
        let areThere = try await update { record in
            guard tags.allSatisfy({ [.made, .offered].contains(record[$0]?.stage) }) else { return false }
            for tag in tags { record[tag]?.stage = .offered }
            return true
        }
        guard areThere else { throw .superseded }
    }

    private func checkSupport(of protection: UserKeyProtection, for tag: KeyTag) async throws(UserKeyError) {
        switch protection {
        case .none, .pin: return
        case .biometrics, .biometricsOrPasscode:
            guard let keyring = keyring(tag, protection) else { throw .unsupported }
            let availability = await keyring.availability()
            guard availability == .available else { throw .biometrics(.unavailable(availability)) }
        }
    }

    private func choosePin(
        for vault: Vault,
        _ person: some UserKeyPerson,
        _ deadline: UserKeyDeadline
    ) async throws(UserKeyError) -> Pin {
        guard person.canTypePin else { throw .unsupported }
        var refusal = UserKeyError.cancelled
        var fault: ChosenPinFault?
        for _ in 1...max(1, person.pinTries) {
            guard let typed = await person.choosePin(after: fault) else { throw deadline.reason }
            try deadline.check()
            do {
                let pin = try Pin(digits: typed)
                let objections = vault.pinPolicy.objections(to: pin)
                if objections.isEmpty { return pin }
                (fault, refusal) = (.objections(objections), .pinRefused(objections))
            } catch {
                (fault, refusal) = (.format(error), .noPin(error))
            }
        }
        throw refusal
    }

    /// Writes the entry of a key that is about to be made. What an earlier binding of the same user has made and never sent goes.
    private func add(_ entry: UserKeyEntry) async throws(UserKeyError) -> String {
        guard entry.isPossible else { throw .textTooLong }
        let deviceID: String? = try await update { record in
            record.leave { $0.owner == entry.owner && $0.stage == .made }
            guard record.keys.count < UserKeyRegistryRecord.greatestKeyCount else { return nil }
            record.keys.append(entry)
            return record.deviceID
        }
        if let deviceID { return deviceID }
        try await finishLeaving()
        throw .tooManyKeys
    }

    private func makeKey(
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
            // Shows that the person can use it, before a server hears of it.
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
                // The keyring has made a key that agrees to nothing.
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

    /// Removes what there is of a key that came to nothing. What cannot be removed now goes with the next binding.
    private func discard(_ tag: KeyTag) async {
        // In a task of its own, which nobody cancels.
        await Task {
            do throws(UserKeyError) {
                try await remove { $0.tag == tag }
            } catch {
                // Its stage says that no server has it, or that it is being removed.
            }
        }.value
    }
}

extension UserKeyError {
    init(_ error: CreateVaultError) {
        switch error {
        case .exists: self = .superseded
        case .pinRefused(let objections): self = .pinRefused(objections)
        case .record(let error): self = .vault(error)
        case .keyDerivation(let error): self = .keyDerivation(error)
        }
    }
}
