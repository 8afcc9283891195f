package import Foundation
package import NightlatchWire

extension UserKeys {
    /// Creates a key, asks the person to prove that they can use it, and signs with it. Existing keys are not touched.
    ///
    /// Call ``offer(_:)`` before the key is sent. If this throws, or the process ends, the new key is removed, at the
    /// latest by the next binding.
    ///
    /// - Parameters:
    ///   - request: The owner and the protection of the key.
    ///   - person: The person to ask.
    ///   - deadline: The deadline of the ceremony.
    ///   - message: Returns the bytes to sign, for the new key.
    /// - Throws: ``UserKeyError``.
    package func bind(
        _ request: UserKeyRequest,
        person: some UserKeyPerson,
        deadline: UserKeyDeadline,
        message: (UserKeyEntry, PublicJWK, SignatureAlgorithm) -> Data
    ) async throws(UserKeyError) -> SignedByUserKey {
        let tag = KeyTag.random()
        try await checkSupport(of: request.protection, for: tag)
        // Ask before anything is created: a person who cancels leaves nothing behind.
        var pin: Pin?
        if request.protection == .pin { pin = try await choosePin(for: vault(tag), person, deadline) }
        try deadline.check()
        let entry = UserKeyEntry(
            tag: tag, keyID: UUID().uuidString, owner: request.owner, userName: request.userName, name: request.name,
            label: request.label, protection: request.protection, createdAt: request.createdAt, stage: .made)
        do throws(UserKeyError) {
            let deviceID = try await add(entry)
            let key = try await makeKey(entry, pin: pin.take(), person, deadline)
            let signed = try await sign(with: key, of: entry, deviceID: deviceID, message)
            try deadline.check()
            guard try await read()[tag]?.stage == .made else { throw .superseded }
            return signed
        } catch {
            await discard(entry)
            throw error
        }
    }

    /// Records that the keys under `tags` are about to be sent.
    ///
    /// - Returns: Those of `tags` that were never sent before.
    /// - Throws: ``UserKeyError/superseded`` if one of them no longer exists; then send none of them.
    package func offer(_ tags: Set<KeyTag>) async throws(UserKeyError) -> Set<KeyTag> {
        let made: Set<KeyTag>? = try await update { record in
            guard tags.allSatisfy({ [.made, .offered].contains(record[$0]?.stage) }) else { return nil }
            let made = tags.filter { record[$0]?.stage == .made }
            for tag in tags { record[tag]?.stage = .offered }
            return made
        }
        await unsent.remove(tags)
        guard let made else { throw .superseded }
        return made
    }

    /// Records that the server has not seen the keys under `tags` after all.
    ///
    /// None of them signs unless it is offered again. Until then, a new binding of the same user removes them, and so
    /// does any binding in another process.
    ///
    /// - Throws: ``UserKeyError``. The keys stay `offered` then: if a user has no other key, they sign, and the server
    ///   refuses them.
    package func withdraw(_ tags: Set<KeyTag>) async throws(UserKeyError) {
        await unsent.add(tags)
        try await update { record in
            for tag in tags where record[tag]?.stage == .offered { record[tag]?.stage = .made }
        }
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

    /// Writes the entry of a key that is about to be created, and removes leftovers first.
    ///
    /// Leftovers are keys that an earlier binding of the same user created and never sent, keys of any user that a
    /// crash left, and keys that could not be removed before. A leftover that still cannot be removed stays, and does
    /// not disturb the binding.
    private func add(_ entry: UserKeyEntry) async throws(UserKeyError) -> String {
        guard entry.isPossible else { throw .textTooLong }
        // Read the registry first. A call that creates a key adds it to `unsent` before the registry, so its key does
        // not look abandoned here.
        let made = Set(try await read().keys.filter { $0.stage == .made }.map(\.tag))
        let abandoned = await unsent.abandoned(among: made)
        try await update { record in
            record.leave { $0.stage == .made && ($0.owner == entry.owner || abandoned.contains($0.tag)) }
        }
        await tryToFinishLeaving()
        await unsent.add([entry.tag])
        if let deviceID = try await update({ $0.add(entry) }) { return deviceID }
        // Earlier bindings that got no answer may have left many keys.
        try await update { record in
            let preferred = record.preferredKey(of: entry.owner)?.tag
            record.leave { $0.owner == entry.owner && $0.stage == .offered && $0.tag != preferred }
        }
        await tryToFinishLeaving()
        if let deviceID = try await update({ $0.add(entry) }) { return deviceID }
        throw .tooManyKeys
    }

    private func tryToFinishLeaving() async {
        do {
            try await finishLeaving()
        } catch {
            // A key that cannot be removed must not prevent a new one. If the registry cannot be used, the next access
            // throws.
        }
    }

    /// Removes all parts of a key that was not bound. The next binding removes the parts that cannot be removed now.
    private func discard(_ entry: UserKeyEntry) async {
        // In a separate task, which is not cancelled.
        await Task {
            do throws(UserKeyError) {
                await unsent.remove([entry.tag])
                try await update { $0.leave { $0.tag == entry.tag } }
                // Also if the entry is gone: the call that removed it may have looked for the key before the key
                // existed.
                try await finishLeaving(entry)
            } catch {
                // The stage in the registry says that no server has the key, or that it is being removed.
            }
        }.value
    }
}
