import Foundation

/// The domain and the code of an error from one of Apple's frameworks, without its other contents.
package struct AppleFailure: Error, Hashable, Sendable {
    package let domain: String
    package let code: Int

    package init(domain: String, code: Int) {
        self.domain = domain
        self.code = code
    }

    package init(_ error: any Error) {
        let error = error as NSError
        self.init(domain: error.domain, code: error.code)
    }

    package init(status: KeychainStatus) {
        self.init(domain: Self.statusDomain, code: Int(status.rawValue))
    }

    package init(localAuthentication code: LocalAuthenticationCode) {
        self.init(domain: Self.localAuthenticationDomain, code: code.rawValue)
    }

    package init(token code: TokenCode) {
        self.init(domain: Self.tokenDomain, code: code.rawValue)
    }

    private static let statusDomain = "NSOSStatusErrorDomain"
    private static let localAuthenticationDomain = "com.apple.LocalAuthentication"
    private static let tokenDomain = "CryptoTokenKit"

    /// The failure as a known code.
    package enum Kind: Hashable, Sendable {
        case status(KeychainStatus)
        case localAuthentication(LocalAuthenticationCode)
        case token(TokenCode)
        case unknown
    }

    package var kind: Kind {
        let kind: Kind? =
            switch domain {
            case Self.statusDomain: Int32(exactly: code).map { .status(KeychainStatus(rawValue: $0)) }
            case Self.localAuthenticationDomain:
                LocalAuthenticationCode(rawValue: code).map { .localAuthentication($0) }
            case Self.tokenDomain: TokenCode(rawValue: code).map { .token($0) }
            default: nil
            }
        return kind ?? .unknown
    }

    /// The code, in the form that `systemStatus` of a port's error has.
    package var systemStatus: Int32 { Int32(clamping: code) }
}

/// The codes of `LAError`.
package enum LocalAuthenticationCode: Int, Hashable, Sendable, CaseIterable {
    case authenticationFailed = -1
    case userCancel = -2
    case userFallback = -3
    case systemCancel = -4
    case passcodeNotSet = -5
    case biometryNotAvailable = -6
    case biometryNotEnrolled = -7
    case biometryLockout = -8
    case appCancel = -9
    case invalidContext = -10
    case companionNotAvailable = -11
    case biometryNotPaired = -12
    case biometryDisconnected = -13
    case invalidDimensions = -14
    case notInteractive = -1004
}

/// The codes of `TKError`, the errors of keys in the Secure Enclave.
package enum TokenCode: Int, Hashable, Sendable, CaseIterable {
    case notImplemented = -1
    case communicationError = -2
    case corruptedData = -3
    case canceledByUser = -4
    case authenticationFailed = -5
    case objectNotFound = -6
    case tokenNotFound = -7
    case badParameter = -8
    case authenticationNeeded = -9
}
