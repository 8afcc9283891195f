import Foundation
package import NightlatchWire

extension DeviceKey {
    /// Returns `claims` as a compact JWS that this key has signed.
    ///
    /// The header names the key, or contains it for a receiver that does not know it yet.
    package func sign(_ claims: some MessageClaims, carryingKey: Bool) async throws(DeviceKeyError) -> String {
        let message = UnsignedJWS(
            claims, algorithm: algorithm, keyID: carryingKey ? nil : publicKey.thumbprint,
            key: carryingKey ? publicKey : nil)
        return message.signed(try await sign(Data(message.signingInput)))
    }
}
