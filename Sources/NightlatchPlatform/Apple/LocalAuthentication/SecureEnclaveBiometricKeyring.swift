public import Crypto
import Foundation
public import Nightlatch

/// Keys in the Secure Enclave that a user releases with face or finger. With
/// `BiometricProtection.biometricsOrPasscode`, the device's passcode releases them too.
///
/// A key of `BiometricProtection.biometricsOnly` is bound to the faces and fingers that were enrolled when it was made
/// (`biometryCurrentSet`), and no passcode releases it. A key of the other kind (`userPresence`) needs no face or
/// finger, and survives a change of the enrolment.
///
/// To open a sealed box, the system's prompt asks the user. Then the chip computes the shared secret. The chip enforces
/// the protection, not this code: a forged result in this process releases no key. Each opening has its own
/// `LAContext`, which is invalidated at the end. After the user was recognised, this context may not ask again. So one
/// recognition serves one opening. To end the prompt, for example when the app goes to the background, cancel the task.
/// The opening then throws `BiometricError.interrupted`.
///
/// The key's representation, sealed by the chip, is in the Keychain, readable only while the device has a passcode. A
/// change of the enrolment shows only when a key is used, after the user was asked. The keyring records it, so that the
/// user is asked in vain only once, or twice if the system gives no hash of the enrolment. From then on, opening throws
/// `BiometricError.enrolmentChanged` without a prompt, until a new key is made.
///
/// The app's Info.plist must explain the use of Face ID (`NSFaceIDUsageDescription`). Without it, the system ends the
/// app.
public struct SecureEnclaveBiometricKeyring: BiometricKeyring {
    private let vault: String
    private let service: String
    private let accessGroup: String?
    private let protection: BiometricProtection
    private let titles: BiometricPromptTitles
    private let keychain: KeychainCalls
    private let enclave: EnclaveCalls
    private let biometry: BiometryCalls
    private let blocking = BlockingCalls(label: "nightlatch.biometrics")

    package init(
        vault: String,
        service: String,
        accessGroup: String? = nil,
        protection: BiometricProtection,
        titles: BiometricPromptTitles,
        calls: SystemCalls
    ) {
        precondition(!vault.isEmpty, "the vault name must not be empty")
        self.vault = vault
        self.service = service
        self.accessGroup = accessGroup
        self.protection = protection
        self.titles = titles
        keychain = calls.keychain
        enclave = calls.enclave
        biometry = calls.biometry
    }

    /// The calls into Apple's frameworks that a keyring needs.
    package struct SystemCalls: Sendable {
        let keychain: KeychainCalls
        let enclave: EnclaveCalls
        let biometry: BiometryCalls

        package init(keychain: KeychainCalls, enclave: EnclaveCalls, biometry: BiometryCalls) {
            self.keychain = keychain
            self.enclave = enclave
            self.biometry = biometry
        }
    }

    /// Returns the availability of biometrics. A device without a Secure Enclave counts as one without a sensor.
    public func availability() async -> BiometricAvailability {
        BiometricAvailability(await state())
    }

    public func create(_ key: BiometricKeyID) async throws(BiometricError) -> P256.KeyAgreement.PublicKey {
        let state = try await availableState()
        let pair = try await blocking.run { () throws(BiometricError) in
            do throws(AppleFailure) {
                return try enclave.makeAgreementKey(.agreement(releasedBy: protection), nil, .unattended)
            } catch {
                throw BiometricError(prompt: error, state.sensor)
            }
        }
        let record = BiometricKeyRecord(pair, enrolment: protection == .biometricsOnly ? state.enrolment : nil)
        do throws(StoreError) {
            // An old record, damaged or not, is no longer needed.
            try await store(key).erase()
            try await store(key).replace(StoredRecord(revision: 1, bytes: record.encoded), expecting: nil)
        } catch {
            throw BiometricError(error)
        }
        return pair.publicKey
    }

    /// Asks the user and opens the sealed box.
    ///
    /// Some errors are thrown before the user is asked: an empty reason, for which the system would end the app
    /// (`BiometricError.failed(systemStatus:)` with ``KeychainStatus/parameter``), a malformed box, and a missing key.
    public func open(
        _ box: HPKEBox,
        with key: BiometricKeyID,
        info: [UInt8],
        reason: String
    ) async throws(BiometricError) -> SecretBytes {
        guard reason.contains(where: { !$0.isWhitespace }) else {
            throw .failed(systemStatus: KeychainStatus.parameter.rawValue)
        }
        guard let sender = try? P256.KeyAgreement.PublicKey(x963Representation: box.encapsulatedKey) else {
            throw .corrupt
        }
        // Checked first: a device without a passcode has no such keys, which is not a change of the enrolment.
        let state = try await availableState()
        let stored = try await stored(key)
        let (pair, enrolment) = stored.parts
        guard !stored.record.servesNoMore else { throw .enrolmentChanged }

        let prompt = biometry.makePrompt()
        defer { prompt.invalidate() }
        var settings = ContextSettings(reason: reason, titles: titles, policy: protection.policy)
        prompt.configure(settings)
        if let failure = await evaluate(prompt, reason: reason) {
            throw BiometricError(prompt: failure, state.sensor)
        }
        settings.interactionNotAllowed = true
        prompt.configure(settings)
        let change = EnrolmentChange(since: enrolment, now: state.enrolment, protection)
        let used: Result<AgreedSecret, BiometricError> = await blocking.run {
            do throws(AppleFailure) {
                return .success(
                    AgreedSecret(
                        publicKey: pair.publicKey, sender: sender,
                        secret: try prompt.sharedSecret(pair.representation, sender)))
            } catch {
                return .failure(BiometricError(use: error, state.sensor, change))
            }
        }
        // After a cancelled prompt, the chip's result says nothing about the key.
        guard !Task.isCancelled else { throw .interrupted }
        switch used {
        case .failure(.enrolmentChanged): await remember(stored.record.refused(change), of: key, stored)
        // Records the current hash: a system update may have changed it for the same faces and fingers.
        case .success: await remember(stored.record.serving(state.enrolment), of: key, stored)
        case .failure: break
        }
        let agreement = try used.get()
        // The chip's part is done, so an error here means a damaged box.
        guard let secret = try? box.open(with: agreement, suite: HPKEBox.biometricSuite, info: info) else {
            throw .corrupt
        }
        return secret
    }

    public func remove(_ key: BiometricKeyID) async throws(BiometricError) {
        do throws(StoreError) {
            try await store(key).erase()
        } catch {
            throw BiometricError(error)
        }
    }

    private func store(_ key: BiometricKeyID) -> KeychainStore {
        KeychainStore(
            service: service, account: protection.account(of: vault, key), accessGroup: accessGroup,
            accessibility: .whenPasscodeSet, calls: keychain)
    }

    /// Returns the state, or throws if the user cannot be asked.
    private func availableState() async throws(BiometricError) -> BiometryState {
        let state = await state()
        if let failure = state.failure { throw BiometricError(prompt: failure, state.sensor) }
        return state
    }

    private func state() async -> BiometryState {
        await blocking.run {
            enclave.isAvailable()
                ? biometry.state(protection.policy)
                : BiometryState(
                    failure: AppleFailure(localAuthentication: .biometryNotAvailable), sensor: .none, enrolment: nil)
        }
    }

    private struct StoredKey {
        let record: BiometricKeyRecord
        let revision: UInt64
        let parts: (pair: EnclaveKeyPair, enrolment: [UInt8]?)
    }

    /// Reads a key. If biometrics are available but the key is missing, the system deleted it together with the
    /// passcode and the old enrolment.
    private func stored(_ key: BiometricKeyID) async throws(BiometricError) -> StoredKey {
        let found: StoredKey?
        do throws(StoreError) {
            found = try await store(key).read().map { stored throws(StoreError) in
                let record = try BiometricKeyRecord(decoding: stored.bytes)
                return StoredKey(record: record, revision: stored.revision, parts: try record.parts())
            }
        } catch {
            throw BiometricError(error)
        }
        guard let found else { throw .enrolmentChanged }
        return found
    }

    /// Records the result of a use of the key.
    private func remember(_ record: BiometricKeyRecord, of key: BiometricKeyID, _ stored: StoredKey) async {
        guard record != stored.record, stored.revision < .max else { return }
        do throws(StoreError) {
            try await store(key).replace(
                StoredRecord(revision: stored.revision + 1, bytes: record.encoded), expecting: stored.revision)
        } catch {
            // No error is needed: the next use of the key gives the result again, unless a new key was made since.
        }
    }

    private func evaluate(_ prompt: BiometryPrompt, reason: String) async -> AppleFailure? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                prompt.evaluate(protection.policy, reason) { continuation.resume(returning: $0) }
            }
        } onCancel: {
            prompt.invalidate()
        }
    }
}

#if canImport(CryptoKit) && canImport(LocalAuthentication) && canImport(Security) && !os(tvOS) && !os(watchOS)
extension SecureEnclaveBiometricKeyring {
    /// Creates a keyring for one vault.
    ///
    /// - Parameters:
    ///   - vault: The name of the vault, or of the key that the keyring releases. Not empty.
    ///   - service: The app's name for its items in the Keychain.
    ///   - accessGroup: The access group, as for ``KeychainStore``.
    ///   - protection: The protection of the keys. Each protection has its own keys.
    ///   - titles: The buttons of the prompt.
    public init(
        vault: String,
        service: String,
        accessGroup: String? = nil,
        protection: BiometricProtection = .biometricsOnly,
        titles: BiometricPromptTitles
    ) {
        self.init(
            vault: vault, service: service, accessGroup: accessGroup, protection: protection, titles: titles,
            calls: SystemCalls(keychain: .system, enclave: .system, biometry: .system))
    }
}
#endif
