import Crypto
import Foundation
import Nightlatch
import NightlatchPlatform
import Testing

extension HPKEBox {
    static let testInfo = Array("info".utf8)

    /// Seals a box to a key, as a vault does, with a secret that
    /// ``SecureEnclaveBiometricKeyring/openTestBox(_:reason:)`` knows.
    static func test(to key: P256.KeyAgreement.PublicKey) throws -> HPKEBox {
        var sender = try HPKE.Sender(recipientKey: key, ciphersuite: biometricSuite, info: Data(testInfo))
        let ciphertext = try sender.seal([1, 2, 3])
        return HPKEBox(encapsulatedKey: [UInt8](sender.encapsulatedKey), ciphertext: [UInt8](ciphertext))
    }
}

extension SecureEnclaveBiometricKeyring {
    /// Opens a test's box with the first key, and checks its content.
    func openTestBox(_ box: HPKEBox, reason: String = "Unlock") async throws(BiometricError) {
        let secret = try await open(box, with: .first, info: HPKEBox.testInfo, reason: reason)
        let isRight = secret.isEqual(to: SecretBytes(copying: [1, 2, 3]))
        #expect(isRight)
    }
}
