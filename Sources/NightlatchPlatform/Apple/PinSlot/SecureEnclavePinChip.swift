import Crypto
import Nightlatch

/// The Secure Enclave as the chip of a PIN slot. It is not known to count wrong PINs.
struct SecureEnclavePinChip: PinChip {
    let calls: EnclaveCalls
    private let blocking = BlockingCalls(label: "nightlatch.secure-enclave-pin-slot")

    init(calls: EnclaveCalls) {
        self.calls = calls
    }

    func seal(
        _ secret: borrowing SecretBytes,
        under stretchedPin: borrowing SecretBytes,
        for name: String
    ) async throws(SecureEnclavePinSlotError) -> [UInt8] {
        let keys = PinSlotKeys(stretchedPin, name: name, salt: PinSlotSecret.newSalt())
        let pair = try await blocking.run { () throws(SecureEnclavePinSlotError) in
            guard calls.isAvailable() else { throw .noSecureEnclave }
            let access = keys.access()
            do throws(AppleFailure) {
                return try calls.makeAgreementKey(.silent(access), .silent, access)
            } catch {
                throw .key(DeviceKeyError(error))
            }
        }
        guard let box = keys.seal(secret, to: pair.publicKey) else { throw .key(DeviceKeyError(.corrupt)) }
        return SecureEnclavePinSlotRecord(pair, salt: keys.salt, box: box).encoded
    }

    func open(
        _ sealed: [UInt8],
        with stretchedPin: borrowing SecretBytes,
        for name: String
    ) async throws(SecureEnclavePinSlotError) -> SecretBytes {
        let content = try SecureEnclavePinSlotRecord.content(of: sealed)
        let keys = PinSlotKeys(stretchedPin, name: name, salt: content.salt)
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
}
