import Foundation
package import NightlatchWire

extension DeviceKey {
    /// `claims` as a compact JWS by this key. The header names the key, or carries it for a receiver that does not know it yet.
    package func sign(_ claims: some MessageClaims, carryingKey: Bool) async throws(DeviceKeyError) -> String {
        let message = UnsignedJWS(
            claims, algorithm: algorithm, keyID: carryingKey ? nil : publicKey.thumbprint,
            key: carryingKey ? publicKey : nil)
        return message.signed(try await sign(Data(message.signingInput)))
    }
}
