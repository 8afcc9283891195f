public import Nightlatch
import NightlatchWire

/// The promises of every `DeviceKeys`. Run them on every adapter.
///
/// The checks do not verify signatures. Do that in the adapter's own tests, with another implementation's verifier.
public enum DeviceKeysConformance: String, CaseIterable, Sendable {
    case anUnknownTagHasNoKey
    case anOpenKeyIsFoundAgainWithTheSamePublicKey
    case aKeyWithAPasswordIsFoundAgainWithTheSamePublicKey
    case aTagThatHasAKeyGetsNoSecond
    case aKeyWithAPasswordIsNotFoundWithAnother
    case aKeyWithAPasswordIsNotFoundWithoutOne
    case aRemovedKeyIsGone
    case removingAnUnknownKeyIsNoError

    /// Checks this promise.
    ///
    /// - Parameter makeKeys: Returns an adapter for the same place at each call. The place must be empty at first.
    /// - Throws: ``ConformanceFailure``, or the adapter's error.
    public func check(_ makeKeys: () -> any DeviceKeys) async throws {
        let (keys, later) = (makeKeys(), makeKeys())
        let tag = KeyTag.random()
        switch self {
        case .anUnknownTagHasNoKey: try require(try await openKey(tag, in: keys) == nil)
        case .anOpenKeyIsFoundAgainWithTheSamePublicKey:
            let key = try await makeOpenKey(tag, in: keys)
            try require(try await openKey(tag, in: later) == key)
        case .aKeyWithAPasswordIsFoundAgainWithTheSamePublicKey: try await checkPassword(keys, later, tag)
        case .aTagThatHasAKeyGetsNoSecond: try await checkSecondKey(keys, tag)
        case .aKeyWithAPasswordIsNotFoundWithAnother: try await checkOtherPassword(keys, tag)
        case .aKeyWithAPasswordIsNotFoundWithoutOne: try await checkNoPassword(keys, tag)
        case .aRemovedKeyIsGone:
            _ = try await makeOpenKey(tag, in: keys)
            try await keys.remove(tag)
            try require(try await openKey(tag, in: later) == nil)
        case .removingAnUnknownKeyIsNoError: try await keys.remove(tag)
        }
    }

    private func require(_ condition: Bool) throws {
        try ConformanceFailure.require(condition, rawValue)
    }

    private func makeOpenKey(_ tag: KeyTag, in keys: any DeviceKeys) async throws -> PublicJWK {
        try await keys.create(tag, access: .unattended).publicKey
    }

    private func openKey(_ tag: KeyTag, in keys: any DeviceKeys) async throws -> PublicJWK? {
        try await keys.find(tag, access: .unattended)?.publicKey
    }

    private func checkPassword(_ keys: any DeviceKeys, _ later: any DeviceKeys, _ tag: KeyTag) async throws {
        let password = SecretBytes.random(byteCount: 32)
        let key = try await keys.create(tag, access: .applicationPassword(password.copy()))
        let found = try await later.find(tag, access: .applicationPassword(password.copy()))
        try require(found?.publicKey == key.publicKey)
    }

    private func checkSecondKey(_ keys: any DeviceKeys, _ tag: KeyTag) async throws {
        let key = try await makeOpenKey(tag, in: keys)
        do throws(DeviceKeyError) {
            _ = try await keys.create(tag, access: .unattended)
        } catch {
            try require(error.code == .exists)
            return try require(try await openKey(tag, in: keys) == key)
        }
        try require(false)
    }

    private func checkOtherPassword(_ keys: any DeviceKeys, _ tag: KeyTag) async throws {
        _ = try await keys.create(tag, access: .applicationPassword(.random(byteCount: 32)))
        do throws(DeviceKeyError) {
            _ = try await keys.find(tag, access: .applicationPassword(.random(byteCount: 32)))
        } catch {
            return try require(error.code == .wrongAccess)
        }
        try require(false)
    }

    private func checkNoPassword(_ keys: any DeviceKeys, _ tag: KeyTag) async throws {
        _ = try await keys.create(tag, access: .applicationPassword(.random(byteCount: 32)))
        do throws(DeviceKeyError) {
            _ = try await keys.find(tag, access: .unattended)
        } catch {
            return try require(error.code == .wrongAccess)
        }
        try require(false)
    }
}
