package import Crypto
import Foundation
public import NightlatchWire

/// The secret that protects all other stored secrets: 32 random bytes in a file or the environment.
///
/// It is never used directly; each purpose has its own key, derived with HKDF-SHA256 ([RFC
/// 5869](https://www.rfc-editor.org/rfc/rfc5869)).
///
/// If the operator loses it, the access token signing keys, the keys of all two-party PINs, enrolment codes and
/// ceremonies in progress are lost. Devices stay bound. No relying party starts with a store whose keys were sealed
/// under another master key: the operator must first delete those keys (``SigningKeyStore/forgetSigningKeys()``). No
/// description or dump shows the key.
public struct MasterKey: Sendable {
    /// The length in bytes.
    public static let byteCount = 32

    private let key: SymmetricKey

    /// Parses a key from a file or the environment: 32 bytes in `Base64URL`, ignoring white space around it.
    ///
    /// Returns nil for anything else.
    public init?(text: String) {
        guard let bytes = Base64URL.decode(text.trimmingCharacters(in: .whitespacesAndNewlines)),
            bytes.count == Self.byteCount
        else { return nil }
        key = SymmetricKey(data: bytes)
    }

    /// Makes a key from the 32 bytes that a token computed. Returns nil for another number of bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        key = SymmetricKey(data: bytes)
    }

    private init(_ key: SymmetricKey) {
        self.key = key
    }

    /// Makes a new key with the system's cryptographically secure generator.
    public static func random() -> Self { Self(SymmetricKey(size: .bits256)) }

    /// Loads the key at `path`. If there is none yet, creates one that only its owner can read.
    ///
    /// - Throws: ``SecretFileError``. A new file is complete or absent, even after a crash.
    public static func loadOrCreate(at path: String) throws(SecretFileError) -> Self {
        let text = try SecretFile(path: path).readOrCreate { Base64URL.encode(RandomBytes.make(count: byteCount)) }
        guard let key = Self(text: text) else { throw .malformed }
        return key
    }

    /// Loads the key at `path`, which must exist.
    ///
    /// - Throws: ``SecretFileError``.
    public static func load(from path: String) throws(SecretFileError) -> Self {
        guard let key = Self(text: try SecretFile(path: path).read()) else { throw .malformed }
        return key
    }

    /// The purpose of a derived key. No label is ever used for a second purpose.
    package enum Purpose: String {
        case appRefreshToken = "nightlatch app refresh token v1"
        case auditHead = "nightlatch audit head v1"
        case backchannelRequest = "nightlatch backchannel request v1"
        case challengeHandle = "nightlatch challenge handle v1"
        case consoleSession = "nightlatch console session v1"
        case dpopNonce = "nightlatch dpop nonce v1"
        case enrolmentCode = "nightlatch enrolment code v1"
        case journeyAuthID = "nightlatch journey auth id v1"
        case journeyState = "nightlatch journey state v1"
        case keptSecrets = "nightlatch kept secrets v1"
        case keyID = "nightlatch master key id v1"
        case loginPage = "nightlatch login page v1"
        case pinAnswer = "nightlatch pin answer v1"
        case pinKey = "nightlatch pin key v1"
        case pushedRequest = "nightlatch pushed request v1"
        case remoteLoginCode = "nightlatch remote login code v1"
        case signingKey = "nightlatch signing key v1"
        case webhookSecret = "nightlatch webhook secret v1"
    }

    package func key(for purpose: Purpose) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(inputKeyMaterial: key, info: Data(purpose.rawValue.utf8), outputByteCount: 32)
    }

    /// The id of the key.
    public var id: MasterKeyID {
        let code = HMAC<SHA256>.authenticationCode(for: Data(), using: key(for: .keyID))
        return MasterKeyID(prefixOf: code)
    }
}

extension MasterKey: CustomStringConvertible, CustomReflectable {
    public var description: String { "(master key)" }

    public var customMirror: Mirror { Mirror(self, children: []) }
}
