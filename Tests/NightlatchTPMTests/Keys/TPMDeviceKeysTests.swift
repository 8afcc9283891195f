import Crypto
import Foundation
import Nightlatch
import NightlatchTPM
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Keys in a TPM", .serialized)
struct TPMDeviceKeysTests {
    private let stores = KeyStores()
    private let tag = KeyTag.random()

    @Test("Keys in a TPM pass every device key conformance check", arguments: DeviceKeysConformance.allCases)
    func conformance(promise: DeviceKeysConformance) async throws {
        let chip = try await SoftwareTPM.start()
        try await promise.check { stores.keys(in: chip.tpm) }
    }

    @Test("A signature verifies with the public key by swift-crypto and by OpenSSL, and with no other key")
    func signature() async throws {
        let chip = try await SoftwareTPM.start()
        let key = try await stores.keys(in: chip.tpm).create(tag, access: .unattended)
        let other = try await stores.keys(in: chip.tpm).create(.random(), access: .unattended)
        let data = Data("message".utf8)
        let signature = try await key.sign(data)
        #expect(signature.count == 64)
        #expect(try isValid(signature, of: data, by: key.publicKey))
        #expect(try !isValid(signature, of: Data("massage".utf8), by: key.publicKey))
        #expect(try !isValid(signature, of: data, by: other.publicKey))
        #expect(try await OpenSSL.verifies(signature, of: data, by: key.publicKey))
        #expect(try await !OpenSSL.verifies(signature, of: data, by: other.publicKey))
        #expect(key.algorithm == .es256)
        #expect(key.protection == .hardware)
    }

    @Test("A key signs after losses of power, with its own password alone")
    func powerLoss() async throws {
        let chip = try await SoftwareTPM.start()
        let password = SecretBytes.random(byteCount: 32)
        let keys = stores.keys(in: chip.tpm)
        let made = try await keys.create(tag, access: .applicationPassword(password.copy()))
        try await chip.losePower()
        let data = Data("message".utf8)
        #expect(try isValid(try await made.sign(data), of: data, by: made.publicKey))
        let found = try #require(try await keys.find(tag, access: .applicationPassword(password.copy())))
        try await chip.losePower()
        #expect(try isValid(try await found.sign(data), of: data, by: made.publicKey))
        await #expect(throws: DeviceKeyError(.wrongAccess)) {
            try await keys.find(tag, access: .applicationPassword(.random(byteCount: 32)))
        }
    }

    @Test("A TPM that does not answer is unavailable, never an absent key, and the key works once it answers again")
    func notAnswering() async throws {
        let chip = try await SoftwareTPM.start()
        let keys = stores.keys(in: chip.tpm)
        let key = try await keys.create(tag, access: .unattended)
        try await chip.kill()
        await #expect(throws: DeviceKeyError(.unavailable)) { try await keys.find(tag, access: .unattended) }
        await #expect(throws: DeviceKeyError(.unavailable)) { try await key.sign(Data()) }
        await #expect(throws: DeviceKeyError(.unavailable)) { try await keys.create(.random(), access: .unattended) }
        try await chip.switchOn()
        #expect(try await keys.find(tag, access: .unattended)?.publicKey == key.publicKey)
        #expect(try isValid(try await key.sign(Data()), of: Data(), by: key.publicKey))
    }

    @Test("A copy of a key is useless at another TPM")
    func otherTPM() async throws {
        let (chip, other) = (try await SoftwareTPM.start(), try await SoftwareTPM.start())
        let key = try await stores.keys(in: chip.tpm).create(tag, access: .unattended)
        await #expect(throws: DeviceKeyError(.absent)) {
            try await stores.keys(in: other.tpm).find(tag, access: .unattended)
        }
        #expect(try await stores.keys(in: chip.tpm).find(tag, access: .unattended)?.publicKey == key.publicKey)
    }

    @Test("A cleared TPM has lost its keys, and the error says so")
    func cleared() async throws {
        let chip = try await SoftwareTPM.start()
        let keys = stores.keys(in: chip.tpm)
        let key = try await keys.create(tag, access: .unattended)
        try await chip.clear()
        await #expect(throws: DeviceKeyError(.absent)) { try await keys.find(tag, access: .unattended) }
        await #expect(throws: DeviceKeyError(.absent)) { try await key.sign(Data()) }
    }

    @Test("If the owner has set a password, keys are refused")
    func ownerPassword() async throws {
        let chip = try await SoftwareTPM.start()
        let keys = stores.keys(in: chip.tpm)
        _ = try await keys.create(tag, access: .unattended)
        try await chip.setOwnerPassword(Array("owner".utf8))
        await #expect(throws: DeviceKeyError(.refused)) { try await keys.find(tag, access: .unattended) }
        await #expect(throws: DeviceKeyError(.refused)) { try await keys.create(.random(), access: .unattended) }
    }

    @Test("A wrong password of a key is not counted, so an attacker cannot lock keys")
    func notCounted() async throws {
        let chip = try await SoftwareTPM.start()
        let keys = stores.keys(in: chip.tpm)
        let password = SecretBytes.random(byteCount: 32)
        _ = try await keys.create(tag, access: .applicationPassword(password.copy()))
        let limit = try await chip.tpm.lockout().wrongCountLimit
        for _ in 0...limit {
            await #expect(throws: DeviceKeyError(.wrongAccess)) {
                try await keys.find(tag, access: .applicationPassword(.random(byteCount: 32)))
            }
        }
        #expect(try await chip.tpm.lockout().wrongCount == 0)
        #expect(try await keys.find(tag, access: .applicationPassword(password.copy())) != nil)
    }

    @Test("Nothing stays loaded: a TPM without a resource manager has room for three objects")
    func flushed() async throws {
        let chip = try await SoftwareTPM.start()
        let keys = stores.keys(in: chip.tpm)
        let key = try await keys.create(tag, access: .applicationPassword(SecretBytes(copying: [7])))
        for _ in 0..<5 {
            _ = try await key.sign(Data())
            await #expect(throws: DeviceKeyError(.wrongAccess)) {
                try await keys.find(tag, access: .applicationPassword(SecretBytes(copying: [8])))
            }
        }
    }

    @Test("Concurrent uses wait for each other")
    func atOnce() async throws {
        let chip = try await SoftwareTPM.start()
        let key = try await stores.keys(in: chip.tpm).create(tag, access: .unattended)
        let valid = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in UInt8(0)..<8 {
                group.addTask {
                    let data = Data([number])
                    return try isValid(try await key.sign(data), of: data, by: key.publicKey)
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(valid == 8)
    }

    @Test("A machine without a TPM is reported as such")
    func noTPM() async throws {
        let tpm = TPM(interface: "device:/dev/nightlatch-has-no-such-tpm")
        await #expect(throws: TPMError.noTPM) { try await tpm.lockout() }
        await #expect(throws: DeviceKeyError(.refused)) {
            try await stores.keys(in: tpm).create(tag, access: .unattended)
        }
    }
}
