import Crypto
import Foundation
import NightlatchRelyingParty
import NightlatchWire

/// Authenticates sessions with a MAC, so that a browser can store them but not forge them.
///
/// A session of a person has another length than one of the admin key, and also the hash of the confirmed sign-in. So
/// sessions of the admin key are those of earlier versions too.
///
/// The keys are derived from the master keys and the admin key, so a new admin key ends all sessions.
struct ConsoleSessionSealer: Sendable {
    private let roots: PurposeKeys
    private let sessionKeys: [SymmetricKey]
    private let formKeys: [SymmetricKey]

    init(keyring: MasterKeyring, adminKey: AdminKey) {
        let roots = keyring.keys(for: .consoleSession)
        func keys(for use: String) -> [SymmetricKey] {
            roots.known.map { root in
                HKDF<SHA256>.deriveKey(
                    inputKeyMaterial: root, salt: Data(adminKey.bytes), info: Data(use.utf8), outputByteCount: 32)
            }
        }
        self.roots = roots
        sessionKeys = keys(for: "session")
        formKeys = keys(for: "form")
    }

    /// Returns `session` for the browser, in `Base64URL`: its id, its two times, the hash of its sign-in if it
    /// has one, and a MAC over all of them.
    func seal(_ session: ConsoleSession) -> String {
        let content = Self.content(of: session)
        return Base64URL.encode(
            content + HMAC<SHA256>.authenticationCode(for: content, using: sessionKeys[roots.place]))
    }

    /// Returns the session in `text`; nil if the MAC is wrong. Does not check whether the session has expired.
    func open(_ text: String) -> ConsoleSession? {
        guard text.utf8.count <= (Self.longestByteCount * 4 + 2) / 3, let bytes = Base64URL.decode(text),
            bytes.count == Self.byteCount || bytes.count == Self.longestByteCount
        else { return nil }
        let contentByteCount = bytes.count - SHA256.byteCount
        let (content, code) = (Data(bytes.prefix(contentByteCount)), bytes.dropFirst(contentByteCount))
        let isGenuine = sessionKeys.contains { key in
            HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: content, using: key)
        }
        guard isGenuine else { return nil }
        let idLength = ConsoleSessionIDRule.byteCount
        guard let id = ConsoleSessionID(bytes: Array(content.prefix(idLength))) else { return nil }
        let times = content.dropFirst(idLength).prefix(16)
        let signIn = content.dropFirst(Self.contentByteCount)
        return ConsoleSession(
            id: id, startedAt: Self.time(times.prefix(8)), seenAt: Self.time(times.suffix(8)),
            signIn: signIn.isEmpty ? nil : JourneySessionHash(Array(signIn)))
    }

    /// Returns the token in the forms of session `id`: a MAC over the id. A form of another site cannot contain it.
    func formToken(of id: ConsoleSessionID) -> String { formToken(of: id, with: formKeys[roots.place]) }

    /// Returns whether `text` is the token of session `id`. Compares in constant time.
    func isFormToken(_ text: String, of id: ConsoleSessionID) -> Bool {
        formKeys.contains { ConstantTime.isEqual(text, formToken(of: id, with: $0)) }
    }

    private func formToken(of id: ConsoleSessionID, with key: SymmetricKey) -> String {
        Base64URL.encode(Array(HMAC<SHA256>.authenticationCode(for: Data(id.bytes), using: key)))
    }

    private static let contentByteCount = ConsoleSessionIDRule.byteCount + 16
    private static let byteCount = contentByteCount + SHA256.byteCount
    /// The number of bytes of a session with a sign-in.
    private static let longestByteCount = byteCount + SHA256.byteCount

    private static func content(of session: ConsoleSession) -> Data {
        Data(session.id.bytes) + bytes(of: session.startedAt) + bytes(of: session.seenAt)
            + Data(session.signIn?.bytes ?? [])
    }

    private static func bytes(of time: NumericDate) -> [UInt8] {
        (0..<8).reversed().map { UInt8(truncatingIfNeeded: time.secondsSince1970 >> ($0 * 8)) }
    }

    private static func time(_ bytes: Data) -> NumericDate {
        NumericDate(secondsSince1970: bytes.reduce(0) { $0 << 8 | Int($1) })
    }
}
