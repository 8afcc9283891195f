import Crypto
import Foundation
import Nightlatch
import NightlatchWire

/// A P-256 key in this process's memory.
struct SoftwareDeviceKey: DeviceKey {
    let publicKey: PublicJWK
    let algorithm = SignatureAlgorithm.es256
    let protection = KeyProtection.software
    private let key: P256.Signing.PrivateKey

    init(_ key: P256.Signing.PrivateKey) throws(DeviceKeyError) {
        guard let point = ECPublicJWK(coordinates: [UInt8](key.publicKey.rawRepresentation)) else {
            throw DeviceKeyError(.corrupt)
        }
        self.key = key
        publicKey = .ec(point)
    }

    func sign(_ data: Data) async throws(DeviceKeyError) -> [UInt8] {
        do {
            return [UInt8](try key.signature(for: data).rawRepresentation)
        } catch {
            throw DeviceKeyError(.unavailable)
        }
    }
}
