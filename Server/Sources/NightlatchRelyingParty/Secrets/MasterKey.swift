package import Crypto
import Foundation
import NightlatchWire

/// The one secret that all others at rest hang on: 32 random bytes in a file or the environment. It is never used itself;
/// each purpose has a key of its own, derived with HKDF-SHA256 ([RFC 5869](https://www.rfc-editor.org/rfc/rfc5869)).
///
/// Whoever loses it loses the keys that sign access tokens, those of all two-party PINs, and enrolment codes and ceremonies under
/// way. Devices stay bound, but no relying party starts over a store whose keys were sealed under another master key: its operator
/// first has the store forget them (``SigningKeyStore/forgetSigningKeys()``). It shows in no description or dump.
public struct MasterKey: Sendable {
    /// How long it is.
    public static let byteCount = 32

    private let key: SymmetricKey

    /// Reads a key as it stands in a file or the environment: 32 bytes in `Base64URL`, white space around it allowed. Nil
    /// for anything else.
    public init?(text: String) {
        guard let bytes = Base64URL.decode(text.trimmingCharacters(in: .whitespacesAndNewlines)),
            bytes.count == Self.byteCount
        else { return nil }
        key = SymmetricKey(data: bytes)
    }

    private init(_ key: SymmetricKey) {
        self.key = key
    }

    /// A new key from the system's cryptographically secure generator.
    public static func random() -> Self { Self(SymmetricKey(size: .bits256)) }

    /// The key at `path`; a new one is made there, readable by its owner alone, if there is none yet.
    ///
    /// - Throws: ``SecretFileError``. A new file is there whole or not at all, also after a crash.
    public static func loadOrCreate(at path: String) throws(SecretFileError) -> Self {
        let text = try SecretFile(path: path).readOrCreate { Base64URL.encode(RandomBytes.make(count: byteCount)) }
        guard let key = Self(text: text) else { throw .malformed }
        return key
    }

    /// The key at `path`, where there must be one.
    ///
    /// - Throws: ``SecretFileError``.
    public static func load(from path: String) throws(SecretFileError) -> Self {
        guard let key = Self(text: try SecretFile(path: path).read()) else { throw .malformed }
        return key
    }

    /// What a derived key is for. A label is never used for a second purpose.
    package enum Purpose: String {
        case auditHead = "nightlatch audit head v1"
        case challengeHandle = "nightlatch challenge handle v1"
        case consoleSession = "nightlatch console session v1"
        case dpopNonce = "nightlatch dpop nonce v1"
        case enrolmentCode = "nightlatch enrolment code v1"
        case journeyAuthID = "nightlatch journey auth id v1"
        case journeyState = "nightlatch journey state v1"
        case keyID = "nightlatch master key id v1"
        case pinAnswer = "nightlatch pin answer v1"
        case pinKey = "nightlatch pin key v1"
        case signingKey = "nightlatch signing key v1"
    }

    package func key(for purpose: Purpose) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(inputKeyMaterial: key, info: Data(purpose.rawValue.utf8), outputByteCount: 32)
    }

    /// Four bytes by which a value tells which master key it is under. They tell nothing of the key.
    var id: [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Data(), using: key(for: .keyID)).prefix(4))
    }
}

extension MasterKey: CustomStringConvertible, CustomReflectable {
    public var description: String { "(master key)" }

    public var customMirror: Mirror { Mirror(self, children: []) }
}
