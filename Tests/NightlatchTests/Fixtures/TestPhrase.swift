import Nightlatch
import NightlatchTesting
import NightlatchWire

/// Two phrases of twelve words.
enum TestPhrase {
    static let right = "legal winner thank year wave sausage worth useful legal winner thank yellow"
    static let wrong = "letter advice cage absurd amount doctor acoustic avoid letter advice cage above"
}

extension Vault {
    @discardableResult
    func unlock(phrase: String) async throws -> OpenVault {
        try await unlock(with: RecoveryPhrase(typed: SecretBytes(copying: Array(phrase.utf8))))
    }

    @discardableResult
    func recover(
        _ phrase: String,
        newPin: String,
        after credentials: FullCredentials? = nil,
        code: EnrolmentCode? = nil,
        acceptingUnauthenticated acceptsUnauthenticated: Bool = false
    ) async throws -> OpenVault {
        try await recover(
            with: RecoveryPhrase(typed: SecretBytes(copying: Array(phrase.utf8))), newPin: Pin(newPin),
            after: credentials, code: code, acceptingUnauthenticated: acceptsUnauthenticated)
    }
}

extension OpenVault {
    func setUpRecovery(_ phrase: String) async throws {
        try await setUpRecovery(RecoveryPhrase(typed: SecretBytes(copying: Array(phrase.utf8))))
    }

    func setPin(_ digits: String) async throws {
        try await setPin(Pin(digits), after: .checkedByApp())
    }
}
