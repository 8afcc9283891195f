package import Foundation
package import NightlatchWire

extension UserKeys {
    /// Finds the key of `user`, asks the person to release it, and signs.
    ///
    /// - Parameters:
    ///   - user: The owner of the key. If nil, the only key is used, or the person selects one.
    ///   - server: The server.
    ///   - person: The person to ask.
    ///   - deadline: The deadline of the ceremony.
    ///   - message: Returns the bytes to sign, for the key that was found.
    /// - Throws: ``UserKeyError``, with ``UserKeyError/noKey`` for a user without a key: another user's key never signs
    ///   for them.
    package func sign(
        for user: String?,
        at server: String,
        person: some UserKeyPerson,
        deadline: UserKeyDeadline,
        message: (UserKeyEntry, PublicJWK, SignatureAlgorithm) -> Data
    ) async throws(UserKeyError) -> SignedByUserKey {
        let record = try await read()
        let entry: UserKeyEntry?
        if let user {
            entry = record.preferredKey(of: UserKeyOwner(server: server, user: user))
        } else {
            entry = try await select(among: record.preferredKeys(at: server), person, deadline)
        }
        guard let entry else { throw .noKey }
        guard await person.approves(signatureBy: entry) else { throw deadline.reason }
        try deadline.check()
        let key = try await release(entry, person, deadline)
        let signed = try await sign(with: key, of: entry, deviceID: record.deviceID, message)
        try deadline.check()
        return signed
    }

    private func select(
        among keys: [UserKeyEntry],
        _ person: some UserKeyPerson,
        _ deadline: UserKeyDeadline
    ) async throws(UserKeyError) -> UserKeyEntry? {
        guard keys.count > 1 else { return keys.first }
        guard person.canSelectKey else { throw .unsupported }
        guard let tag = await person.selectKey(among: keys) else { throw deadline.reason }
        return keys.first { $0.tag == tag }
    }

    private func release(
        _ entry: UserKeyEntry,
        _ person: some UserKeyPerson,
        _ deadline: UserKeyDeadline
    ) async throws(UserKeyError) -> any DeviceKey {
        switch entry.protection {
        case .none: return try await find(entry.tag, .unattended)
        case .pin:
            return try await find(entry.tag, .applicationPassword(try await enterPin(for: entry.tag, person, deadline)))
        case .biometrics, .biometricsOrPasscode:
            guard let keyring = keyring(entry.tag, entry.protection) else { throw .unsupported }
            guard let box = entry.box else { throw .registry(RegistryError(.userKeys, .corrupt)) }
            do throws(UserKeyError) {
                return try await find(entry.tag, in: box, keyring, reason: person.reason, deadline)
            } catch {
                // The key is bound to faces or fingers that are no longer enrolled. Newly enrolled ones do not release
                // it, so the key can never sign again.
                if entry.protection == .biometrics, error == .biometrics(.unavailable(.notEnrolled)) {
                    throw .biometrics(.enrolmentChanged)
                }
                throw error
            }
        }
    }

    /// Asks for biometrics, which release the key's application password, and finds the key with that password.
    func find(
        _ tag: KeyTag,
        in box: HPKEBox,
        _ keyring: any BiometricKeyring,
        reason: String,
        _ deadline: UserKeyDeadline
    ) async throws(UserKeyError) -> any DeviceKey {
        let found = await deadline.first {
            do throws(UserKeyError) {
                let password: SecretBytes
                do throws(BiometricError) {
                    password = try await keyring.ask(
                        box, with: .first, info: Array(Self.boxInfo(tag).bytes), reason: reason)
                } catch {
                    throw .biometrics(error)
                }
                return Result<any DeviceKey, UserKeyError>.success(try await find(tag, .applicationPassword(password)))
            } catch {
                return .failure(error)
            }
        }
        guard let found else { throw deadline.reason }
        return try found.get()
    }

    private func find(_ tag: KeyTag, _ access: consuming KeyAccess) async throws(UserKeyError) -> any DeviceKey {
        let key: (any DeviceKey)?
        do {
            key = try await deviceKeys.find(tag, access: access)
        } catch {
            throw .key(error)
        }
        guard let key else { throw .key(DeviceKeyError(.absent)) }
        return key
    }

    func sign(
        with key: any DeviceKey,
        of entry: UserKeyEntry,
        deviceID: String,
        _ message: (UserKeyEntry, PublicJWK, SignatureAlgorithm) -> Data
    ) async throws(UserKeyError) -> SignedByUserKey {
        let input = message(entry, key.publicKey, key.algorithm)
        do {
            let signature = try await key.sign(input)
            return SignedByUserKey(key: entry, deviceID: deviceID, signingInput: input, signature: signature)
        } catch {
            throw .key(error)
        }
    }

    static func boxInfo(_ tag: KeyTag) -> Transcript {
        var transcript = Transcript("nightlatch user key")
        transcript.append(tag.rawValue)
        return transcript
    }
}
