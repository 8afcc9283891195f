import Crypto
import Foundation
import Nightlatch
import NightlatchWire

/// The stored form of a Secure Enclave key: its representation, sealed by the chip, and public data.
struct BiometricKeyRecord: Codable, Hashable {
    private static let newestFormat = 1

    private struct Format: Decodable {
        let format: Int
    }

    private let format: Int
    private let key: String
    private let publicKeyText: String
    private var enrolmentText: String?
    /// The number of consecutive times that the chip refused the key as if its enrolment had changed.
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
            // A later format may have another shape, so the number is read separately.
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

    /// Whether the key is unusable, so that there is no need to ask the user.
    var servesNoMore: Bool { refusals ?? 0 >= 2 }

    /// Returns the record after the chip refused the key. One refusal makes the key unusable if the enrolment's hash
    /// changed too. Otherwise two are required.
    func refused(_ change: EnrolmentChange) -> Self {
        var record = self
        record.refusals = change == .another ? 2 : (refusals ?? 0) + 1
        return record
    }

    /// Returns the record after a successful use, with the current hash of the enrolment if the system returns one.
    func serving(_ enrolment: [UInt8]?) -> Self {
        var record = self
        record.refusals = nil
        if enrolmentText != nil, let enrolment { record.enrolmentText = Base64URL.encode(enrolment) }
        return record
    }

    var encoded: [UInt8] { [UInt8](StrictJSON.encode(self)) }

    /// The key pair, and the hash of the enrolment at its creation, if the system returned one.
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
