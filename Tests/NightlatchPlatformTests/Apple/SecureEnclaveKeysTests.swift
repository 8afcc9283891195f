import Crypto
import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Keys in a model of the Secure Enclave")
struct SecureEnclaveKeysTests {
    private let password = Array(repeating: UInt8(7), count: 32)

    private func access() -> KeyAccess { .applicationPassword(SecretBytes(copying: password)) }

    @Test(
        "The keys pass every device key conformance check",
        arguments: DeviceKeysConformance.allCases, KeychainModel.System.allCases)
    func conformance(promise: DeviceKeysConformance, system: KeychainModel.System) async throws {
        let device = AppleDevice(system)
        try await promise.check { device.keys }
    }

    @Test(
        "A signature verifies with the public key, also after a restart, with and without a password",
        arguments: [true, false])
    func signature(hasPassword: Bool) async throws {
        let device = AppleDevice()
        let tag = KeyTag.random()
        let created = try await device.keys.create(tag, access: hasPassword ? access() : .unattended)
        let found = try #require(try await device.keys.find(tag, access: hasPassword ? access() : .unattended))
        for key in [created, found] {
            let signature = try await key.sign(Data("message".utf8))
            guard case .ec(let point) = created.publicKey else { throw DeviceKeyError(.corrupt) }
            let publicKey = try P256.Signing.PublicKey(rawRepresentation: point.coordinates)
            let parsed = try P256.Signing.ECDSASignature(rawRepresentation: signature)
            #expect(publicKey.isValidSignature(parsed, for: Data("message".utf8)))
            #expect(!publicKey.isValidSignature(parsed, for: Data("massage".utf8)))
            #expect(key.algorithm == .es256)
            #expect(key.protection == .hardware)
        }
    }

    @Test("A key with a password is sealed under it in the Keychain, and is not a software key")
    func sealed() async throws {
        let device = AppleDevice()
        _ = try await device.keys.create(.random(), access: access())
        let value = try #require(device.keychain.items.first?.value)
        let representation = try #require(device.model.get(\.keys).keys.first)
        let texts = [Base64URL.encode(representation), String(decoding: representation, as: UTF8.self)]
        let stored = String(decoding: value, as: UTF8.self)
        for text in texts { #expect(!stored.contains(text)) }
        #expect(device.keychain.items.map(\.accessible) == [.attrAccessibleWhenUnlockedThisDeviceOnly])
    }

    @Test("The system holds an application password only while its key is in use")
    func contexts() async throws {
        let device = AppleDevice()
        let tag = KeyTag.random()
        _ = try await device.keys.create(tag, access: access())
        #expect(device.model.get(\.openContexts).isEmpty)
        do {
            let key = try #require(try await device.keys.find(tag, access: access()))
            #expect(device.model.get(\.openContexts).count == 1)
            _ = try await key.sign(Data("message".utf8))
        }
        #expect(device.model.get(\.openContexts).isEmpty)
    }

    @Test("A record of a software key is not found as a key of the chip, or the reverse")
    func kinds() async throws {
        let device = AppleDevice()
        let tag = KeyTag.random()
        let software = SoftwareDeviceKeys { tag in
            KeychainStore(service: "app", account: "device-key.\(tag.rawValue)", calls: device.keychain.calls)
        }
        _ = try await device.keys.create(tag, access: access())
        await #expect(throws: DeviceKeyError(.wrongAccess)) { try await software.find(tag, access: access()) }
        try await device.keys.remove(tag)
        _ = try await software.create(tag, access: access())
        await #expect(throws: DeviceKeyError(.wrongAccess)) { try await device.keys.find(tag, access: access()) }
    }

    @Test("A device without a Secure Enclave refuses to make a key, and keeps nothing")
    func noEnclave() async throws {
        let device = AppleDevice()
        device.model.set { $0.hasEnclave = false }
        await #expect(throws: DeviceKeyError(.refused)) { try await device.keys.create(.random(), access: .unattended) }
        #expect(device.keychain.items.isEmpty)
    }

    @Test("On a locked device, finding a key and signing are unavailable")
    func locked() async throws {
        let device = AppleDevice()
        let tag = KeyTag.random()
        let key = try await device.keys.create(tag, access: .unattended)
        device.model.set { $0.isLocked = true }
        await #expect(throws: DeviceKeyError(.unavailable)) { try await key.sign(Data()) }
        await #expect(throws: DeviceKeyError(.unavailable)) { try await device.keys.find(tag, access: .unattended) }
        device.keychain.setLocked(true)
        await #expect(throws: DeviceKeyError(.unavailable)) { try await device.keys.find(tag, access: .unattended) }
        await #expect(throws: DeviceKeyError(.unavailable)) {
            try await device.keys.create(.random(), access: .unattended)
        }
        device.model.set { $0.isLocked = false }
        device.keychain.setLocked(false)
        _ = try await key.sign(Data())
        #expect(try await device.keys.find(tag, access: .unattended)?.publicKey == key.publicKey)
    }

    @Test("A key that the chip has lost is corrupt, never absent: it can only be removed and replaced")
    func lost() async throws {
        let device = AppleDevice()
        let tag = KeyTag.random()
        let key = try await device.keys.create(tag, access: access())
        device.model.set { $0.keys = [:] }
        await #expect(throws: DeviceKeyError(.corrupt)) { try await key.sign(Data()) }
        await #expect(throws: DeviceKeyError(.corrupt)) { try await device.keys.find(tag, access: access()) }
        try await device.keys.remove(tag)
        #expect(try await device.keys.find(tag, access: access()) == nil)
    }

    private enum Verb: CaseIterable {
        case create, find, sign
    }

    private static let chipFailures: [(AppleFailure, DeviceKeyError.Code)] = [
        (AppleFailure(status: .authFailed), .wrongAccess), (AppleFailure(status: .interactionNotAllowed), .unavailable),
        (AppleFailure(status: .missingEntitlement), .refused), (AppleFailure(status: .parameter), .refused),
        (AppleFailure(status: .unimplemented), .refused), (AppleFailure(status: .itemNotFound), .corrupt),
        (AppleFailure(status: .decode), .corrupt), (AppleFailure(status: .diskFull), .full),
        (AppleFailure(localAuthentication: .authenticationFailed), .wrongAccess),
        (AppleFailure(localAuthentication: .biometryLockout), .unavailable),
        (AppleFailure(localAuthentication: .userCancel), .unavailable),
        (AppleFailure(localAuthentication: .notInteractive), .unavailable),
        (AppleFailure(localAuthentication: .passcodeNotSet), .refused),
        (AppleFailure(token: .authenticationFailed), .wrongAccess), (AppleFailure(token: .corruptedData), .corrupt),
        (AppleFailure(token: .objectNotFound), .corrupt), (AppleFailure(token: .communicationError), .unavailable),
        (AppleFailure(token: .notImplemented), .refused), (AppleFailure(token: .badParameter), .refused),
        (AppleFailure(domain: "new", code: 7), .unavailable),
        (AppleFailure(domain: "NSOSStatusErrorDomain", code: .max), .unavailable),
    ]

    @Test("Each error of the chip is reported with its code, and leaves no partial key", arguments: chipFailures)
    func failures(failure: AppleFailure, code: DeviceKeyError.Code) async throws {
        let device = AppleDevice()
        let tag = KeyTag.random()
        let key = try await device.keys.create(tag, access: .unattended)
        for verb in Verb.allCases {
            device.model.set { $0.failures = [failure] }
            do throws(DeviceKeyError) {
                switch verb {
                case .create: _ = try await device.keys.create(.random(), access: .unattended)
                case .find: _ = try await device.keys.find(tag, access: .unattended)
                case .sign: _ = try await key.sign(Data())
                }
                Issue.record("\(failure) was taken for success by \(verb)")
            } catch {
                #expect(error.code == code)
                #expect(error.systemStatus == Int32(clamping: failure.code))
            }
        }
        #expect(device.keychain.items.count == 1)
    }
}
