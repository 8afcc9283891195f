import Crypto
import Foundation

/// A wallet key while it is used.
///
/// In the vault it is 33 bytes: one for the kind, then the private key as RFC 8032, section 5.1.5 or SEC 1, section 2.3.7 write it.
/// Here it is swift-crypto's, which overwrites its memory when the last reference goes.
enum WalletPrivateKey {
    static let byteCount = 32

    case ed25519(Curve25519.Signing.PrivateKey)
    case p256(P256.Signing.PrivateKey)

    /// Returns nil if `bytes` are no key of this kind: of another length, or for P-256 zero or beyond the order of the group.
    init?(_ bytes: borrowing SecretBytes, kind: WalletKeyKind) {
        let key = unsafe bytes.withUnsafeBytes { unsafe Self.make(UnsafeRawBufferPointer($0), kind: kind) }
        guard let key else { return nil }
        self = key
    }

    /// The key in a secret of the vault, or nil if the secret is none.
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

    /// What the vault is to hold of a private key.
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
        // Both initialisers throw for bytes that are no key alone.
        CryptographyResidue.wiping {
            switch kind {
            case .ed25519: unsafe (try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes)).map(Self.ed25519)
            case .p256: unsafe (try? P256.Signing.PrivateKey(rawRepresentation: bytes)).map(Self.p256)
            }
        }
    }
}

extension WalletKeyKind {
    /// How the vault tells the kinds apart.
    fileprivate var tag: UInt8 {
        switch self {
        case .ed25519: 1
        case .p256: 2
        }
    }
}
