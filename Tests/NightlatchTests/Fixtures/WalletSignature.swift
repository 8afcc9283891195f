import Crypto
import Nightlatch

/// A signature by a wallet key, with everything needed to verify it.
struct WalletSignature {
    let key: WalletPublicKey
    let signed: [UInt8]
    let signature: [UInt8]

    /// Whether swift-crypto accepts the signature; for tests with too many signatures for Python.
    var isValid: Bool {
        switch key.kind {
        case .ed25519:
            (try? Curve25519.Signing.PublicKey(rawRepresentation: key.bytes).isValidSignature(signature, for: signed))
                == true
        case .p256:
            (try? P256.Signing.PublicKey(x963Representation: key.bytes).isValidSignature(
                P256.Signing.ECDSASignature(rawRepresentation: signature), for: signed)) == true
        }
    }

    /// The verdicts of Python, which shares no code with ours: `valid` or `invalid` for each signature. On systems
    /// without child processes, those of swift-crypto.
    static func verdicts(of signatures: [WalletSignature]) throws -> [String] {
        #if os(Linux) || os(macOS)
        let lines = signatures.map {
            [$0.key.kind.rawValue, Hex.encode($0.key.bytes), Hex.encode($0.signed), Hex.encode($0.signature)]
                .joined(separator: " ")
        }
        return try Python.run(verifier, input: lines.joined(separator: "\n")).split(separator: "\n").map(String.init)
        #else
        return signatures.map { $0.isValid ? "valid" : "invalid" }
        #endif
    }

    private static let verifier = """
        import sys
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric import ec, ed25519, utils
        from cryptography.hazmat.primitives.hashes import SHA256
        for line in sys.stdin.read().split("\\n"):
            kind, *parts = line.split(" ")
            key, signed, signature = (bytes.fromhex(part) for part in parts)
            try:
                if kind == "ed25519":
                    ed25519.Ed25519PublicKey.from_public_bytes(key).verify(signature, signed)
                else:
                    r, s = (int.from_bytes(half, "big") for half in (signature[:32], signature[32:]))
                    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), key)
                    public.verify(utils.encode_dss_signature(r, s), signed, ec.ECDSA(SHA256()))
                print("valid")
            except InvalidSignature:
                print("invalid")
        """
}
