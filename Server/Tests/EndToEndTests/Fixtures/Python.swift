import Foundation
import Subprocess

/// A verifier of access tokens in another language over another library.
enum Python {
    private static let verifier = """
        import base64, json, sys, urllib.request
        from cryptography.hazmat.primitives import hashes
        from cryptography.hazmat.primitives.asymmetric import ec, utils

        def decode(text):
            return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))

        token, url = sys.stdin.read().strip(), sys.argv[1]
        header, payload, signature = token.split(".")
        kid = json.loads(decode(header))["kid"]
        keys = json.load(urllib.request.urlopen(url))["keys"]
        key = next(key for key in keys if key["kid"] == kid)
        assert (key["kty"], key["crv"], key["alg"], key["use"]) == ("EC", "P-256", "ES256", "sig")
        numbers = [int.from_bytes(decode(key[name]), "big") for name in ("x", "y")]
        public = ec.EllipticCurvePublicNumbers(*numbers, ec.SECP256R1()).public_key()
        raw = decode(signature)
        der = utils.encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
        public.verify(der, (header + "." + payload).encode(), ec.ECDSA(hashes.SHA256()))
        claims = json.loads(decode(payload))
        print(json.loads(decode(header))["typ"], claims["sub"], claims["iss"])
        """

    /// - Returns: Status 0 and the token's type, subject and issuer if the token is good.
    static func verify(_ token: String, by url: String) async throws -> Outcome {
        let script = try TemporaryFolder()
        let path = script.path + "/verify.py"
        try verifier.write(toFile: path, atomically: true, encoding: .utf8)
        // A Python that has the package: the first of the search path, or the distribution's.
        let line =
            "for p in python3 /usr/bin/python3; do $p -c 'import cryptography' 2>/dev/null && exec $p \"$@\"; done; exit 69"
        let result = try await run(
            .name("sh"), arguments: ["-c", line, "sh", path, url], input: .string(token),
            output: .string(limit: 1 << 16), error: .string(limit: 1 << 16))
        return Outcome(
            status: result.terminationStatus.number, output: result.standardOutput,
            errors: result.standardError)
    }
}
