import Crypto
import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Software keys")
struct SoftwareDeviceKeysTests {
    @Test("Keys in files pass every device key conformance check", arguments: DeviceKeysConformance.allCases)
    func files(promise: DeviceKeysConformance) async throws {
        let folder = TemporaryFolder()
        try await promise.check { SoftwareDeviceKeys(folder: folder.path) }
    }

    @Test("Keys in memory pass every device key conformance check", arguments: DeviceKeysConformance.allCases)
    func memory(promise: DeviceKeysConformance) async throws {
        let stores = MemoryStores()
        try await promise.check { SoftwareDeviceKeys { stores[$0] } }
    }

    @Test("A signature verifies with the public key, also after a restart, and with no other key")
    func signature() async throws {
        let folder = TemporaryFolder()
        let tag = KeyTag.random()
        let created = try await SoftwareDeviceKeys(folder: folder.path).create(tag, access: .unattended)
        let found = try #require(try await SoftwareDeviceKeys(folder: folder.path).find(tag, access: .unattended))
        let other = try await SoftwareDeviceKeys(folder: folder.path).create(.random(), access: .unattended)
        let data = Data("message".utf8)
        for key in [created, found] {
            let signature = try await key.sign(data)
            #expect(signature.count == 64)
            #expect(try isValid(signature, of: data, by: created.publicKey))
            #expect(try !isValid(signature, of: Data("massage".utf8), by: created.publicKey))
            #expect(try !isValid(signature, of: data, by: other.publicKey))
            #expect(key.algorithm == .es256)
            #expect(key.protection == .software)
        }
    }

    @Test("Keys are in files that their owner alone can read")
    func modes() async throws {
        let folder = TemporaryFolder()
        let tag = KeyTag.random()
        _ = try await SoftwareDeviceKeys(folder: folder.path).create(tag, access: .unattended)
        #expect(try FileManager.default.mode("\(folder.path)/\(tag.rawValue).key") == 0o600)
    }

    @Test("A key with any changed byte is never found as another key")
    func flipped() async throws {
        let stores = MemoryStores()
        let keys = SoftwareDeviceKeys { stores[$0] }
        let tag = KeyTag.random()
        let password = Array(repeating: UInt8(7), count: 32)
        let key = try await keys.create(tag, access: .applicationPassword(SecretBytes(copying: password)))
        let good = try #require(try await stores[tag].read())
        for index in good.bytes.indices {
            for mask in [UInt8(1), 2, 0x20] {
                var bad = good.bytes
                bad[index] ^= mask
                stores[tag].plant(StoredRecord(revision: good.revision, bytes: bad))
                do {
                    _ = try await keys.find(tag, access: .applicationPassword(SecretBytes(copying: password)))
                    Issue.record("byte \(index) was changed and the key was found")
                } catch {
                    #expect([.corrupt, .wrongAccess, .newerFormat].contains(error.code))
                }
            }
        }
        stores[tag].plant(good)
        let found = try await keys.find(tag, access: .applicationPassword(SecretBytes(copying: password)))
        #expect(found?.publicKey == key.publicKey)
    }

    @Test(
        "A key of a later format is reported as such and stays as it is, in any shape and size",
        arguments: [
            #"{"format":2}"#, #"{"format":2,"protection":"open","key":""}"#, #"{"format":3,"key":{"a":[1]}}"#,
            #"{"format":9,"key":"\#(String(repeating: "A", count: 8000))"}"#,
        ])
    func laterFormat(document: String) async throws {
        let stores = MemoryStores()
        let keys = SoftwareDeviceKeys { stores[$0] }
        let tag = KeyTag.random()
        let record = StoredRecord(revision: 1, bytes: Array(document.utf8))
        stores[tag].plant(record)
        await #expect(throws: DeviceKeyError(.newerFormat)) { try await keys.find(tag, access: .unattended) }
        await #expect(throws: DeviceKeyError(.newerFormat)) {
            try await keys.find(tag, access: .applicationPassword(.random(byteCount: 32)))
        }
        #expect(try await stores[tag].read() == record)
    }

    @Test(
        "A malformed key record is corrupt",
        arguments: [
            "", "{}", "[]", "null", #"{"format":0}"#, #"{"format":-1,"protection":"open","key":""}"#,
            #"{"format":"2"}"#,
            #"{"format":1}"#, #"{"format":2,"format":2}"#, #"{"format":1,"protection":"open","key":""}"#,
            #"{"format":1,"protection":"shut","key":""}"#,
            #"{"format":1,"protection":"open","key":"\#(String(repeating: "A", count: 8000))"}"#,
        ])
    func noKey(document: String) async throws {
        let stores = MemoryStores()
        let keys = SoftwareDeviceKeys { stores[$0] }
        let tag = KeyTag.random()
        stores[tag].plant(StoredRecord(revision: 1, bytes: Array(document.utf8)))
        await #expect(throws: DeviceKeyError(.corrupt)) { try await keys.find(tag, access: .unattended) }
    }

    @Test("A sealed key that was moved to another tag does not open")
    func moved() async throws {
        let stores = MemoryStores()
        let keys = SoftwareDeviceKeys { stores[$0] }
        let (tag, other) = (KeyTag.random(), KeyTag.random())
        let password = Array(repeating: UInt8(7), count: 32)
        _ = try await keys.create(tag, access: .applicationPassword(SecretBytes(copying: password)))
        stores[other].plant(try await stores[tag].read())
        await #expect(throws: DeviceKeyError(.wrongAccess)) {
            try await keys.find(other, access: .applicationPassword(SecretBytes(copying: password)))
        }
    }

    @Test("Two concurrent calls for one tag make one key, and the other call gets an error")
    func atOnce() async throws {
        let folder = TemporaryFolder()
        let tag = KeyTag.random()
        let made = await withTaskGroup(of: PublicJWK?.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    try? await SoftwareDeviceKeys(folder: folder.path).create(tag, access: .unattended).publicKey
                }
            }
            return await group.reduce(into: []) { made, key in key.map { made.append($0) } }
        }
        #expect(made.count == 1)
        #expect(
            try await SoftwareDeviceKeys(folder: folder.path).find(tag, access: .unattended)?.publicKey == made.first)
    }

    @Test(
        "Each store error is reported as such, and never taken for an absent key",
        arguments: [
            (StoreError.Code.unavailable, DeviceKeyError.Code.unavailable), (.full, .full), (.refused, .refused),
            (.corrupt, .corrupt), (.newerFormat, .newerFormat),
        ])
    func storeErrors(code: StoreError.Code, expected: DeviceKeyError.Code) async throws {
        let keys = SoftwareDeviceKeys { _ in BrokenStore(code: code) }
        await #expect(throws: DeviceKeyError(expected)) { try await keys.find(.random(), access: .unattended) }
        await #expect(throws: DeviceKeyError(expected)) { try await keys.create(.random(), access: .unattended) }
        await #expect(throws: DeviceKeyError(expected)) { try await keys.remove(.random()) }
    }

    private func isValid(_ signature: [UInt8], of data: Data, by key: PublicJWK) throws -> Bool {
        guard case .ec(let point) = key else { return false }
        return try P256.Signing.PublicKey(rawRepresentation: point.coordinates)
            .isValidSignature(try P256.Signing.ECDSASignature(rawRepresentation: signature), for: data)
    }

    private struct MemoryStores: Sendable {
        private let stores = Shared<[KeyTag: MemoryStore]>([:])

        subscript(tag: KeyTag) -> MemoryStore {
            stores.withLock { stores in
                if let known = stores[tag] { return known }
                let new = MemoryStore()
                stores[tag] = new
                return new
            }
        }
    }

    private struct BrokenStore: SecureStore {
        let code: StoreError.Code

        var guarantees: StoreGuarantees {
            StoreGuarantees(isDeviceBound: true, survivesReinstall: true, resistsRollback: true)
        }

        func read() async throws(StoreError) -> StoredRecord? { throw StoreError(code) }
        func replace(_ record: StoredRecord, expecting expected: UInt64?) async throws(StoreError) {
            throw StoreError(code)
        }
        func remove(expecting expected: UInt64) async throws(StoreError) { throw StoreError(code) }
        func erase() async throws(StoreError) { throw StoreError(code) }
    }
}
