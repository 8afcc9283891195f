import Crypto
import Foundation

/// A wallet key in use.
///
/// The vault stores it as 33 bytes: one for the kind, then the private key in the format of RFC 8032, section 5.1.5, or
/// SEC 1, section 2.3.7. Here it is a key of swift-crypto, which overwrites its memory when the last reference is
/// released.
enum WalletPrivateKey {
    static let byteCount = 32

    case ed25519(Curve25519.Signing.PrivateKey)
    case p256(P256.Signing.PrivateKey)

    /// Creates a key from its bytes. Nil if there are not 32 of them, or for P-256 if the number is zero or not less
    /// than the order of the group.
    init?(_ bytes: borrowing SecretBytes, kind: WalletKeyKind) {
        let key = unsafe bytes.withUnsafeBytes { unsafe Self.make(UnsafeRawBufferPointer($0), kind: kind) }
        guard let key else { return nil }
        self = key
    }

    /// Creates the key that a secret of the vault contains; nil if the secret is no wallet key.
    init?(sealed: borrowing SecretBytes) {
        let key = unsafe sealed.withUnsafeBytes { sealed -> WalletPrivateKey? in
            guard let tag = unsafe sealed.first, let kind = WalletKeyKind.allCases.first(where: { $0.tag == tag })
            else {
                return nil
            }
            return unsafe Self.make(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: sealed[1...])), kind: kind)
        }
        guard let key else { return nil }
        self = key
    }

    /// Returns the secret that the vault stores for a private key.
    static func sealing(_ bytes: borrowing SecretBytes, kind: WalletKeyKind) -> SecretBytes {
        unsafe SecretBytes(byteCount: 1 + bytes.byteCount) { memory in
            unsafe memory[0] = kind.tag
            unsafe bytes.withUnsafeBytes {
                unsafe UnsafeMutableRawBufferPointer(rebasing: memory[1...]).copyBytes(from: $0)
            }
        }
    }

    func publicKey(named name: WalletKeyName) -> WalletPublicKey {
        CryptographyResidue.wiping {
            switch self {
            case .ed25519(let key):
                WalletPublicKey(name: name, kind: .ed25519, bytes: [UInt8](key.publicKey.rawRepresentation))
            case .p256(let key):
                WalletPublicKey(name: name, kind: .p256, bytes: [UInt8](key.publicKey.x963Representation))
            }
        }
    }

    func signature(for bytes: some DataProtocol) throws -> [UInt8] {
        try CryptographyResidue.wiping {
            switch self {
            case .ed25519(let key): [UInt8](try key.signature(for: bytes))
            case .p256(let key): [UInt8](try key.signature(for: bytes).rawRepresentation)
            }
        }
    }

    private static func make(_ bytes: UnsafeRawBufferPointer, kind: WalletKeyKind) -> WalletPrivateKey? {
        // Both initialisers throw only for bytes that are no key.
        CryptographyResidue.wiping {
            switch kind {
            case .ed25519: unsafe (try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes)).map(Self.ed25519)
            case .p256: unsafe (try? P256.Signing.PrivateKey(rawRepresentation: bytes)).map(Self.p256)
            }
        }
    }
}

extension WalletKeyKind {
    /// The byte that distinguishes the kinds in the vault.
    fileprivate var tag: UInt8 {
        switch self {
        case .ed25519: 1
        case .p256: 2
        }
    }
}
