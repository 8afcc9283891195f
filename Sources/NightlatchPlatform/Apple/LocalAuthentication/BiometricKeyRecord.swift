import Crypto
import Foundation
import Nightlatch
import NightlatchWire

/// A key of the Secure Enclave as it is stored: what the chip has sealed for itself, and nothing secret beside it.
struct BiometricKeyRecord: Codable, Hashable {
    private static let newestFormat = 1

    private struct Format: Decodable {
        let format: Int
    }

    private let format: Int
    private let key: String
    private let publicKeyText: String
    private var enrolmentText: String?
    /// How often in a row the chip has refused the key as if its enrolment were gone.
    private var refusals: Int?

    private enum CodingKeys: String, CodingKey {
        case format, key, refusals
        case publicKeyText = "public_key"
        case enrolmentText = "enrolment"
    }

    init(_ key: EnclaveKeyPair, enrolment: [UInt8]?) {
        format = Self.newestFormat
        self.key = Base64URL.encode(key.representation)
        publicKeyText = Base64URL.encode(key.publicKey.x963Representation)
        enrolmentText = enrolment.map { Base64URL.encode($0) }
    }

    init(decoding bytes: [UInt8]) throws(StoreError) {
        let format: Int
        do {
            // A later format may be of another shape, so its number is read by itself.
            format = try StrictJSON.decode(Format.self, from: bytes).format
        } catch {
            throw StoreError(.corrupt)
        }
        guard format <= Self.newestFormat else { throw StoreError(.newerFormat) }
        do {
            self = try StrictJSON.decode(Self.self, from: bytes)
        } catch {
            throw StoreError(.corrupt)
        }
        guard format == Self.newestFormat else { throw StoreError(.corrupt) }
    }

    /// Whether the person need not be asked, since the key serves no more.
    var servesNoMore: Bool { refusals ?? 0 >= 2 }

    /// The same key, which the chip has refused. One refusal is enough where the hash of the enrolment is another as well; two, where the
    /// system does not tell it.
    func refused(_ change: EnrolmentChange) -> Self {
        var record = self
        record.refusals = change == .another ? 2 : (refusals ?? 0) + 1
        return record
    }

    /// The same key, which has served: under an enrolment of this hash, if the system tells one.
    func serving(_ enrolment: [UInt8]?) -> Self {
        var record = self
        record.refusals = nil
        if enrolmentText != nil, let enrolment { record.enrolmentText = Base64URL.encode(enrolment) }
        return record
    }

    var encoded: [UInt8] { [UInt8](StrictJSON.encode(self)) }

    /// The key, and the enrolment that was there when it was made, if the system told.
    func parts() throws(StoreError) -> (pair: EnclaveKeyPair, enrolment: [UInt8]?) {
        guard let representation = Base64URL.decode(key), !representation.isEmpty,
            let point = Base64URL.decode(publicKeyText),
            let publicKey = try? P256.KeyAgreement.PublicKey(x963Representation: point)
        else { throw StoreError(.corrupt) }
        var enrolment: [UInt8]?
        if let enrolmentText {
            guard let hash = Base64URL.decode(enrolmentText) else { throw StoreError(.corrupt) }
            enrolment = hash
        }
        return (EnclaveKeyPair(representation: representation, publicKey: publicKey), enrolment)
    }
}
