import Crypto
import Foundation
public import Nightlatch

/// The promises of every `BiometricKeyring`. Run them on every adapter, as with ``SecureStoreConformance``.
///
/// The user must be present and recognised at every prompt. Test other cases in the adapter's own tests.
public enum BiometricKeyringConformance: String, CaseIterable, Sendable {
    case biometricsAreAvailable
    case aKeyOpensWhatWasSealedToIt
    case aKeyOpensMoreThanOneBox
    case aSecondOwnerOfThePlaceOpensWhatWasSealed
    case aKeyOpensNothingThatWasSealedToAnother
    case aBoxIsNotOpenedWithOtherInfo
    case aBoxThatWasChangedIsNotOpened
    case aBoxThatIsNoneIsNotOpened
    case aNewKeyTakesThePlaceOfTheOldOne
    case aKeyThatWasNeverMadeIsToldAsAChangedEnrolment
    case aRemovedKeyIsGoneAndTheOtherIsNot
    case removingAKeyThatIsNotThereIsNoError

    /// Checks this promise.
    ///
    /// - Parameter makeKeyring: Returns a keyring with the same keys at each call. There must be no keys at first.
    /// - Throws: ``ConformanceFailure``, or the keyring's error.
    public func check(_ makeKeyring: () -> any BiometricKeyring) async throws {
        let keyring = makeKeyring()
        switch self {
        case .biometricsAreAvailable: try require(await keyring.availability() == .available)
        case .aKeyOpensWhatWasSealedToIt:
            for secret in [[], [7], Array(repeating: UInt8(9), count: 32), Array(repeating: 1, count: 4096)] {
                let box = try Self.seal(secret, to: try await keyring.create(.first))
                try require(try await open(box, in: keyring) == secret)
            }
        case .aKeyOpensMoreThanOneBox:
            let key = try await keyring.create(.second)
            for byte in UInt8(0)..<3 {
                try require(try await open(try Self.seal([byte], to: key), .second, in: keyring) == [byte])
            }
        case .aSecondOwnerOfThePlaceOpensWhatWasSealed:
            let box = try Self.seal([1, 2, 3], to: try await keyring.create(.first))
            try require(try await open(box, in: makeKeyring()) == [1, 2, 3])
        case .aKeyOpensNothingThatWasSealedToAnother:
            _ = try await keyring.create(.first)
            let box = try Self.seal([1, 2, 3], to: try await keyring.create(.second))
            try await requireFailure(.corrupt, opening: box, .first, in: keyring)
        case .aBoxIsNotOpenedWithOtherInfo:
            let box = try Self.seal([1, 2, 3], to: try await keyring.create(.first))
            try await requireFailure(.corrupt, opening: box, info: [], in: keyring)
            try await requireFailure(.corrupt, opening: box, info: Self.info + [0], in: keyring)
        case .aBoxThatWasChangedIsNotOpened: try await checkChanges(keyring)
        case .aBoxThatIsNoneIsNotOpened:
            _ = try await keyring.create(.first)
            for key in [[], [4], Array(repeating: 0, count: 65), Array(repeating: UInt8(4), count: 65)] {
                let box = HPKEBox(encapsulatedKey: key, ciphertext: Array(repeating: 0, count: 48))
                try await requireFailure(.corrupt, opening: box, in: keyring)
            }
        case .aNewKeyTakesThePlaceOfTheOldOne:
            let old = try Self.seal([1], to: try await keyring.create(.first))
            let new = try Self.seal([2], to: try await keyring.create(.first))
            try await requireFailure(.corrupt, opening: old, in: keyring)
            try require(try await open(new, in: keyring) == [2])
        case .aKeyThatWasNeverMadeIsToldAsAChangedEnrolment:
            let box = try Self.seal([1], to: P256.KeyAgreement.PrivateKey().publicKey)
            try await requireFailure(.enrolmentChanged, opening: box, in: keyring)
        case .aRemovedKeyIsGoneAndTheOtherIsNot:
            let first = try Self.seal([1], to: try await keyring.create(.first))
            let second = try Self.seal([2], to: try await keyring.create(.second))
            try await keyring.remove(.first)
            try await requireFailure(.enrolmentChanged, opening: first, in: keyring)
            try require(try await open(second, .second, in: keyring) == [2])
        case .removingAKeyThatIsNotThereIsNoError:
            try await keyring.remove(.second)
        }
    }

    private func checkChanges(_ keyring: any BiometricKeyring) async throws {
        let box = try Self.seal([1, 2, 3], to: try await keyring.create(.first))
        for index in box.ciphertext.indices {
            var ciphertext = box.ciphertext
            ciphertext[index] ^= 1
            let changed = HPKEBox(encapsulatedKey: box.encapsulatedKey, ciphertext: ciphertext)
            try await requireFailure(.corrupt, opening: changed, in: keyring)
        }
        for index in [0, 1, 33, 64] {
            var key = box.encapsulatedKey
            key[index] ^= 1
            let changed = HPKEBox(encapsulatedKey: key, ciphertext: box.ciphertext)
            try await requireFailure(.corrupt, opening: changed, in: keyring)
        }
    }

    private static let info = Array("conformance".utf8)

    private static func seal(_ secret: [UInt8], to key: P256.KeyAgreement.PublicKey) throws -> HPKEBox {
        var sender = try HPKE.Sender(recipientKey: key, ciphersuite: HPKEBox.biometricSuite, info: Data(info))
        let ciphertext = try sender.seal(secret)
        return HPKEBox(encapsulatedKey: [UInt8](sender.encapsulatedKey), ciphertext: [UInt8](ciphertext))
    }

    private func open(
        _ box: HPKEBox,
        _ key: BiometricKeyID = .first,
        info: [UInt8] = Self.info,
        in keyring: any BiometricKeyring
    ) async throws(BiometricError) -> [UInt8] {
        let secret = try await keyring.open(box, with: key, info: info, reason: "Conformance")
        return unsafe secret.withUnsafeBytes { bytes in unsafe Array(bytes) }
    }

    private func require(_ condition: Bool) throws {
        try ConformanceFailure.require(condition, rawValue)
    }

    private func requireFailure(
        _ expected: BiometricError,
        opening box: HPKEBox,
        _ key: BiometricKeyID = .first,
        info: [UInt8] = Self.info,
        in keyring: any BiometricKeyring
    ) async throws {
        do throws(BiometricError) {
            _ = try await open(box, key, info: info, in: keyring)
        } catch {
            return try require(error == expected)
        }
        try require(false)
    }
}
