import Nightlatch

/// Key pairs from standards.
struct KnownWalletKey: Sendable {
    let name: WalletKeyName
    let kind: WalletKeyKind
    let privateKey: String
    let publicKey: String

    static let all = [
        // RFC 8032, section 7.1, tests 1 and 2.
        KnownWalletKey(
            name: "rfc-8032-1", kind: .ed25519,
            privateKey: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            publicKey: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"),
        KnownWalletKey(
            name: "rfc-8032-2", kind: .ed25519,
            privateKey: "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            publicKey: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"),
        // RFC 6979, appendix A.2.5.
        KnownWalletKey(
            name: "rfc-6979", kind: .p256,
            privateKey: "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721",
            publicKey: "0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
                + "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299"),
    ]
}

// PINs and private keys cannot be copied, but the arguments of test macros must be.

extension OpenVault {
    /// - Parameter privateKey: The key in hexadecimal digits.
    @discardableResult
    func importWalletKey(
        _ privateKey: String,
        named name: WalletKeyName,
        kind: WalletKeyKind
    ) async throws -> WalletPublicKey {
        try await importWalletKey(SecretBytes(copying: Hex.decode(privateKey)), named: name, kind: kind)
    }
}

extension Vault {
    func sign(_ bytes: [UInt8], with name: WalletKeyName, _ digits: String) async throws -> [UInt8] {
        try await sign(bytes, with: name, pin: Pin(digits)).bytes
    }
}
