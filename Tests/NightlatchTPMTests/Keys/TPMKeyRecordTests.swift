import Foundation
import Nightlatch
import NightlatchTPM
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Records of keys in a TPM", .serialized)
struct TPMKeyRecordTests {
    private let stores = KeyStores()
    private let tag = KeyTag.random()
    /// A TPM that does not exist: a record must be refused before any TPM is used.
    private let noTPM = TPM(interface: "device:/dev/nightlatch-has-no-such-tpm")

    @Test("A key with any changed byte is never found as another key")
    func flipped() async throws {
        let chip = try await SoftwareTPM.start()
        let keys = stores.keys(in: chip.tpm)
        let key = try await keys.create(tag, access: .applicationPassword(SecretBytes(copying: [7])))
        let good = try #require(try await stores[tag].read())
        for index in stride(from: 0, to: good.bytes.count, by: 9) {
            var bad = good.bytes
            bad[index] ^= 1
            stores[tag].plant(StoredRecord(revision: good.revision, bytes: bad))
            do throws(DeviceKeyError) {
                _ = try await keys.find(tag, access: .applicationPassword(SecretBytes(copying: [7])))
                Issue.record("byte \(index) was changed and the key was found")
            } catch {
                #expect(
                    [.corrupt, .wrongAccess, .newerFormat, .absent].contains(error.code), "byte \(index): \(error)")
            }
        }
        stores[tag].plant(good)
        let found = try await keys.find(tag, access: .applicationPassword(SecretBytes(copying: [7])))
        #expect(found?.publicKey == key.publicKey)
    }

    @Test("A key that may leave the TPM, or came from outside, is refused before the TPM is used")
    func attributes() async throws {
        let chip = try await SoftwareTPM.start()
        _ = try await stores.keys(in: chip.tpm).create(tag, access: .unattended)
        let good = try #require(try await stores[tag].read())
        var members = try #require(try JSONSerialization.jsonObject(with: Data(good.bytes)) as? [String: Any])
        let encoded = try #require(members["public_area"] as? String)
        let area = try #require(Base64URL.decode(encoded))
        // fixedTPM, fixedParent and sensitiveDataOrigin, in the last byte of the attributes
        for attribute in [UInt8(0x02), 0x10, 0x20] {
            var changed = area
            changed[7] ^= attribute
            members["public_area"] = Base64URL.encode(changed)
            let document = try JSONSerialization.data(withJSONObject: members, options: .sortedKeys)
            stores[tag].plant(StoredRecord(revision: 1, bytes: Array(document)))
            await #expect(throws: DeviceKeyError(.corrupt)) {
                try await stores.keys(in: noTPM).find(tag, access: .unattended)
            }
        }
    }

    @Test("A key that was moved to another tag is not found there")
    func moved() async throws {
        let chip = try await SoftwareTPM.start()
        _ = try await stores.keys(in: chip.tpm).create(tag, access: .unattended)
        let other = KeyTag.random()
        stores[other].plant(try await stores[tag].read())
        await #expect(throws: DeviceKeyError(.corrupt)) {
            try await stores.keys(in: noTPM).find(other, access: .unattended)
        }
    }

    @Test(
        "A malformed key record is corrupt, and one of a later format stays as it is",
        arguments: [
            ("", DeviceKeyError.Code.corrupt), ("{}", .corrupt), ("null", .corrupt), (#"{"format":0}"#, .corrupt),
            (#"{"format":1}"#, .corrupt), (#"{"format":2}"#, .newerFormat), (#"{"format":2,"format":2}"#, .corrupt),
            (#"{"format":9,"sealed":"\#(String(repeating: "A", count: 8000))"}"#, .newerFormat),
            (#"{"format":1,"sealed":"\#(String(repeating: "A", count: 8000))"}"#, .corrupt),
        ])
    func noKey(document: String, code: DeviceKeyError.Code) async throws {
        let record = StoredRecord(revision: 1, bytes: Array(document.utf8))
        stores[tag].plant(record)
        await #expect(throws: DeviceKeyError(code)) {
            try await stores.keys(in: noTPM).find(tag, access: .unattended)
        }
        #expect(try await stores[tag].read() == record)
    }
}
