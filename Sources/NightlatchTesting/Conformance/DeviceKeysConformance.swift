public import Nightlatch
import NightlatchWire

/// What every ``Nightlatch/DeviceKeys`` must do, to be run on every adapter. That a signature verifies is for the adapter's own
/// tests, with a verifier that is not the adapter's.
public enum DeviceKeysConformance: String, CaseIterable, Sendable {
    case anUnknownTagHasNoKey
    case aCreatedKeyIsFoundAgainWithTheSamePublicKey
    case aTagThatHasAKeyGetsNoSecond
    case aKeyWithAPasswordIsNotFoundWithAnother
    case aKeyWithAPasswordIsNotFoundWithoutOne
    case aRemovedKeyIsGone
    case removingAnUnknownKeyIsNoError

    /// - Parameter makeKeys: Makes an adapter; each call with the same place, which is empty at first.
    /// - Throws: ``ConformanceFailure``, or what the adapter threw.
    public func check(_ makeKeys: () -> any DeviceKeys) async throws {
        let keys = makeKeys()
        let tag = KeyTag.random()
        let password = SecretBytes.random(byteCount: 32)
        func require(_ condition: Bool) throws { try ConformanceFailure.require(condition, rawValue) }
        func requireError(
            _ code: DeviceKeyError.Code,
            _ call: () async throws(DeviceKeyError) -> Void
        ) async throws {
            do throws(DeviceKeyError) {
                try await call()
            } catch {
                return try require(error.code == code)
            }
            try require(false)
        }

        switch self {
        case .anUnknownTagHasNoKey:
            try require(try await keys.find(tag, access: .unattended) == nil)
        case .aCreatedKeyIsFoundAgainWithTheSamePublicKey:
            let open = try await keys.create(tag, access: .unattended)
            try require(try await makeKeys().find(tag, access: .unattended)?.publicKey == open.publicKey)
            let otherTag = KeyTag.random()
            let closed = try await keys.create(otherTag, access: .applicationPassword(password.copy()))
            let found = try await makeKeys().find(otherTag, access: .applicationPassword(password.copy()))
            try require(found?.publicKey == closed.publicKey && closed.publicKey != open.publicKey)
        case .aTagThatHasAKeyGetsNoSecond:
            let key = try await keys.create(tag, access: .unattended)
            try await requireError(.exists) { () throws(DeviceKeyError) in
                _ = try await keys.create(tag, access: .unattended)
            }
            try require(try await keys.find(tag, access: .unattended)?.publicKey == key.publicKey)
        case .aKeyWithAPasswordIsNotFoundWithAnother:
            _ = try await keys.create(tag, access: .applicationPassword(password.copy()))
            try await requireError(.wrongAccess) { () throws(DeviceKeyError) in
                _ = try await keys.find(tag, access: .applicationPassword(.random(byteCount: 32)))
            }
        case .aKeyWithAPasswordIsNotFoundWithoutOne:
            _ = try await keys.create(tag, access: .applicationPassword(password.copy()))
            try await requireError(.wrongAccess) { () throws(DeviceKeyError) in
                _ = try await keys.find(tag, access: .unattended)
            }
        case .aRemovedKeyIsGone:
            _ = try await keys.create(tag, access: .unattended)
            try await keys.remove(tag)
            try require(try await makeKeys().find(tag, access: .unattended) == nil)
        case .removingAnUnknownKeyIsNoError:
            try await keys.remove(tag)
        }
    }
}
