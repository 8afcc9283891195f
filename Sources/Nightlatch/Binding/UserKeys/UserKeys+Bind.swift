package import Foundation
package import NightlatchWire

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

    /// Writes down that the keys under `tags` are about to be sent.
    ///
    /// - Returns: Those of them that were never sent before.
    /// - Throws: ``UserKeyError/superseded`` if one of them is not there any more; then none must be sent.
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

    /// Writes down that the server has not seen the keys under `tags` after all: none signs unless it is offered again, and a binding that begins
    /// meanwhile, of the same user or in another process, removes them.
    ///
    /// - Throws: ``UserKeyError``. They stay as offered then: where a user has no other key they sign, and the server refuses them.
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

    /// Writes the entry of a key that is about to be made. What an earlier binding of the same user has made and never sent goes, what
    /// a crash has left of any user's, and what could not be removed before: if it still cannot be, it stays where it is in nobody's way.
    private func add(_ entry: UserKeyEntry) async throws(UserKeyError) -> String {
        guard entry.isPossible else { throw .textTooLong }
        // Read first: whoever makes a key says so before it is in the registry.
        let made = Set(try await read().keys.filter { $0.stage == .made }.map(\.tag))
        let abandoned = await unsent.abandoned(among: made)
        try await update { record in
            record.leave { $0.stage == .made && ($0.owner == entry.owner || abandoned.contains($0.tag)) }
        }
        await tryToFinishLeaving()
        await unsent.add([entry.tag])
        if let deviceID = try await update({ $0.add(entry) }) { return deviceID }
        // Bindings without an answer may have left many.
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
            // One key that cannot be removed does not keep another from being made. A registry that cannot be used is told by the next line.
        }
    }

    /// Removes what there is of a key that came to nothing. What cannot be removed now goes with the next binding.
    private func discard(_ entry: UserKeyEntry) async {
        // In a task of its own, which nobody cancels.
        await Task {
            do throws(UserKeyError) {
                await unsent.remove([entry.tag])
                try await update { $0.leave { $0.tag == entry.tag } }
                // Also if the entry is gone: whoever took it away may have looked for the key before it was there.
                try await finishLeaving(entry)
            } catch {
                // Its stage says that no server has it, or that it is being removed.
            }
        }.value
    }
}
