package import Foundation

/// A message that a user's key has signed.
package struct SignedByUserKey: Sendable {
    package let key: UserKeyEntry
    /// The device's own identifier, the same for all servers and users.
    package let deviceID: String
    package let signingInput: Data
    package let signature: [UInt8]
}
