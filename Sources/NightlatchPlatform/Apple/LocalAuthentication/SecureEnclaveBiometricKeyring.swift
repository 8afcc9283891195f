public import Crypto
import Foundation
public import Nightlatch

/// Keys in the Secure Enclave that the face or finger of a person releases, and for `BiometricProtection.biometricsOrPasscode` the
/// device's passcode too.
///
/// A key of `BiometricProtection.biometricsOnly` is for the faces and fingers enrolled when it was made (`biometryCurrentSet`), and no
/// passcode releases it. The other kind (`userPresence`) needs no face or finger at all, and a change of them leaves it.
///
/// The person is asked first, with the system's prompt; then the chip agrees the secret that opens the box. It is the chip that refuses,
/// not this code: a yes that was forged in this process releases no key. Each opening has an `LAContext` of its own, which may ask nobody
/// any more once the person was recognised, and is invalidated when it is over, so a recognition serves once. To take the prompt away,
/// as when the app goes into the background, cancel the task: the opening ends with `BiometricError.interrupted`.
///
/// What the chip has sealed of a key lies in the Keychain, readable only while the device has a passcode. A change of the enrolment is
/// seen when a key is used, and the person has been asked by then. That is written down, so they are asked in vain once: from then on the
/// key is told as `BiometricError.enrolmentChanged` without a prompt, until a new one is made.
///
/// The app's Info.plist must say why it uses Face ID (`NSFaceIDUsageDescription`); without that the system ends the app.
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
        keychain: KeychainCalls,
        enclave: EnclaveCalls,
        biometry: BiometryCalls
    ) {
        precondition(!vault.isEmpty, "a keyring serves one vault, by its name")
        self.vault = vault
        self.service = service
        self.accessGroup = accessGroup
        self.protection = protection
        self.titles = titles
        self.keychain = keychain
        self.enclave = enclave
        self.biometry = biometry
    }

    /// How things stand. A device without a Secure Enclave counts as one without a sensor.
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
            // What is there, damaged or not, is of no use any more.
            try await store(key).erase()
            try await store(key).replace(StoredRecord(revision: 1, bytes: record.encoded), expecting: nil)
        } catch {
            throw BiometricError(error)
        }
        return pair.publicKey
    }

    /// Asks the person and opens the box. What cannot succeed is told before anybody is asked: an empty reason, for which the system would
    /// end the app (`BiometricError.failed(systemStatus:)` with ``KeychainStatus/parameter``), a box that is none, and a key that is
    /// not there.
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
        // A device without a passcode has no such keys; they have not gone with the enrolment then.
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
        // Whatever the chip says of a prompt that was taken away says nothing about its key.
        guard !Task.isCancelled else { throw .interrupted }
        switch used {
        case .failure(.enrolmentChanged): await remember(stored.record.refused(change), of: key, stored)
        // The same faces and fingers may have another hash now: the system was updated.
        case .success: await remember(stored.record.serving(state.enrolment), of: key, stored)
        case .failure: break
        }
        let agreement = try used.get()
        // What this throws is the agreement's own, which has happened already.
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

    /// How things stand, if a person could be asked.
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

    /// On a device that could ask, a key that is not there has gone with the passcode and the enrolment of before.
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

    /// Writes down what the use of a key has shown.
    private func remember(_ record: BiometricKeyRecord, of key: BiometricKeyID, _ stored: StoredKey) async {
        guard record != stored.record, stored.revision < .max else { return }
        do throws(StoreError) {
            try await store(key).replace(
                StoredRecord(revision: stored.revision + 1, bytes: record.encoded), expecting: stored.revision)
        } catch {
            // It is learned again at the next use; a key that was made in between is another.
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
    /// - Parameters:
    ///   - vault: The name of the vault that the keyring serves, or of the key that it releases; not empty.
    ///   - service: The app's own name for its items in the Keychain.
    ///   - accessGroup: As of ``KeychainStore``.
    ///   - protection: What releases the keys. Each kind has keys of its own.
    ///   - titles: What stands on the prompt's buttons.
    public init(
        vault: String,
        service: String,
        accessGroup: String? = nil,
        protection: BiometricProtection = .biometricsOnly,
        titles: BiometricPromptTitles
    ) {
        self.init(
            vault: vault, service: service, accessGroup: accessGroup, protection: protection, titles: titles,
            keychain: .system, enclave: .system, biometry: .system)
    }
}
#endif
