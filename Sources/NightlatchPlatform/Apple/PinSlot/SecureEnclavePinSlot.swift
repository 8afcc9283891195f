import Crypto
import Foundation
public import Nightlatch

/// A secret that takes the PIN and the Secure Enclave of this device to get at. A copy of all files and of the Keychain says nothing about
/// the PIN; whoever has the device unlocked, and this app's place on it, must ask the chip for each PIN that they try.
///
/// The secret is sealed under the stretched PIN, and what comes of that is sealed to a key of the chip whose application password is
/// derived from the stretched PIN as well. So even a chip that was broken gives out no more than what stretching protects.
///
/// The chip is not known to count wrong passwords. How many PINs may be tried is for whoever uses the slot to count, before they are
/// tried. A former PIN opens a former copy of the record, on the same device.
public struct SecureEnclavePinSlot: Sendable {
    /// How many bytes a slot takes.
    public static let secretByteCounts = 1...128

    private let store: KeychainStore
    private let calls: EnclaveCalls
    private let blocking = BlockingCalls(label: "nightlatch.secure-enclave-pin-slot")

    package init(
        name: String,
        service: String,
        accessGroup: String? = nil,
        keychain: KeychainCalls,
        calls: EnclaveCalls
    ) {
        precondition(!name.isEmpty, "a slot has a name")
        store = KeychainStore(
            service: service, account: "pin-slot.\(name)", accessGroup: accessGroup, calls: keychain)
        self.calls = calls
    }

    /// Seals `secret` under a PIN, in the place of what was sealed before. It is durable when this returns.
    ///
    /// - Parameters:
    ///   - secret: From 1 to 128 bytes.
    ///   - stretchedPin: What a key derivation function has made of the PIN; at least 16 bytes make sense.
    /// - Throws: ``SecureEnclavePinSlotError``; what was sealed before is untouched, save that after an error of the store but a conflict the
    ///   new record may be there. On a device without a Secure Enclave the key is `DeviceKeyError.Code.refused`.
    public func seal(
        _ secret: borrowing SecretBytes,
        under stretchedPin: borrowing SecretBytes
    ) async throws(SecureEnclavePinSlotError) {
        guard Self.secretByteCounts.contains(secret.byteCount) else { throw .secretByteCount }
        let before = try await read()?.revision
        // After the greatest number none could be written.
        guard before != .max else { throw .corrupt }
        let keys = PinSlotKeys(stretchedPin, salt: PinSlotKeys.newSalt())
        let pair = try await blocking.run { () throws(SecureEnclavePinSlotError) in
            guard calls.isAvailable() else {
                throw .key(DeviceKeyError(.refused, systemStatus: KeychainStatus.unimplemented.rawValue))
            }
            let access = keys.access()
            do throws(AppleFailure) {
                return try calls.makeAgreementKey(.silent(access), .silent, access)
            } catch {
                throw .key(DeviceKeyError(error))
            }
        }
        guard let box = keys.seal(secret, to: pair.publicKey) else { throw .key(DeviceKeyError(.corrupt)) }
        let record = SecureEnclavePinSlotRecord(pair, salt: keys.salt, box: box)
        do throws(StoreError) {
            try await store.replace(StoredRecord(revision: (before ?? 0) + 1, bytes: record.encoded), expecting: before)
        } catch {
            throw SecureEnclavePinSlotError(error)
        }
    }

    /// Has the chip try a PIN, and opens the secret. It counts nothing.
    ///
    /// - Throws: ``SecureEnclavePinSlotError``, with ``SecureEnclavePinSlotError/wrongPin`` where the chip refuses what the PIN became.
    public func open(with stretchedPin: borrowing SecretBytes) async throws(SecureEnclavePinSlotError) -> SecretBytes {
        guard let stored = try await read() else { throw .absent }
        let content: SecureEnclavePinSlotRecord.Content
        do throws(StoreError) {
            content = try SecureEnclavePinSlotRecord.decode(stored.bytes)
        } catch {
            throw SecureEnclavePinSlotError(error)
        }
        let keys = PinSlotKeys(stretchedPin, salt: content.salt)
        let agreed = try await blocking.run { () throws(SecureEnclavePinSlotError) in
            let access = keys.access()
            do throws(AppleFailure) {
                return AgreedSecret(
                    publicKey: content.pair.publicKey, sender: content.sender,
                    secret: try calls.agree(content.pair.representation, content.sender, .silent, access))
            } catch {
                let error = DeviceKeyError(error)
                throw error.code == .wrongAccess ? .wrongPin : .key(error)
            }
        }
        guard let secret = keys.open(content.box, with: agreed) else { throw .corrupt }
        return secret
    }

    /// Removes the slot, if there is one. Copies of its record open with their PIN as before, on this device.
    public func remove() async throws(SecureEnclavePinSlotError) {
        do throws(StoreError) {
            try await store.erase()
        } catch {
            throw SecureEnclavePinSlotError(error)
        }
    }

    private func read() async throws(SecureEnclavePinSlotError) -> StoredRecord? {
        do throws(StoreError) {
            return try await store.read()
        } catch {
            throw SecureEnclavePinSlotError(error)
        }
    }
}

#if canImport(CryptoKit) && canImport(LocalAuthentication) && canImport(Security) && !os(tvOS) && !os(watchOS)
extension SecureEnclavePinSlot {
    /// - Parameters:
    ///   - name: The slot's own name, such as that of the vault that it is for; not empty.
    ///   - service: The app's own name for its items in the Keychain.
    ///   - accessGroup: As of ``KeychainStore``.
    public init(name: String, service: String, accessGroup: String? = nil) {
        self.init(name: name, service: service, accessGroup: accessGroup, keychain: .system, calls: .system)
    }
}
#endif
