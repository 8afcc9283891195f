import Foundation
import Subprocess

/// Verifiers of access tokens and of signed decisions in Python, with another cryptographic library.
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

    /// A backend that checks the proof in a report by itself, for the details that it expects.
    private static let proofVerifier = """
        import base64, hashlib, json, sys
        from cryptography.hazmat.primitives import hashes
        from cryptography.hazmat.primitives.asymmetric import ec, utils

        def decode(text):
            return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))

        report, meant = json.load(sys.stdin), json.loads(sys.argv[1])
        proof = report["proof"]
        header, payload, signature = proof["message"].split(".")
        key = proof["key"]
        assert (key["kty"], key["crv"]) == ("EC", "P-256")
        numbers = [int.from_bytes(decode(key[name]), "big") for name in ("x", "y")]
        public = ec.EllipticCurvePublicNumbers(*numbers, ec.SECP256R1()).public_key()
        raw = decode(signature)
        der = utils.encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
        public.verify(der, (header + "." + payload).encode(), ec.ECDSA(hashes.SHA256()))
        assert json.loads(decode(header))["typ"] == "nightlatch-transaction+jwt"
        claims = json.loads(decode(payload))
        assert claims["transaction_id"] == report["id"] and claims["sub"] == report["user"]
        canonical = json.dumps(meant, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        assert decode(claims["details_hash"]) == hashlib.sha256(canonical.encode()).digest()
        print(claims["decision"], claims["aud"])
        """

    /// Verifies a proof.
    ///
    /// - Returns: Status 0, the decision and the audience if the proof in `report` (JSON) is valid for `details`
    ///   (JSON).
    static func verify(proofIn report: String, for details: String) async throws -> Outcome {
        try await run(proofVerifier, arguments: [details], input: report)
    }

    /// Verifies an access token.
    ///
    /// - Returns: Status 0 and the token's type, subject and issuer if the token is valid.
    static func verify(_ token: String, by url: String) async throws -> Outcome {
        try await run(verifier, arguments: [url], input: token)
    }

    /// Computes the master key, in base64url, that a token computes with the secret key `secret`.
    static func masterKey(computedWith secret: [UInt8]) async throws -> Outcome {
        try await run(
            """
            import base64, hashlib, hmac, sys
            code = hmac.new(bytes(map(int, sys.argv[1:])), b"nightlatch master key v1", hashlib.sha256).digest()
            print(base64.urlsafe_b64encode(code).decode().rstrip("="))
            """, arguments: secret.map(String.init), input: "")
    }

    private static func run(_ script: String, arguments: [String], input: String) async throws -> Outcome {
        let folder = try TemporaryFolder()
        let path = folder.path + "/verify.py"
        try script.write(toFile: path, atomically: true, encoding: .utf8)
        return try await run(file: path, arguments: arguments, input: input)
    }

    /// Runs a script file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - arguments: The script's arguments.
    ///   - input: The script's standard input.
    ///   - modules: The packages that it imports, separated by commas.
    static func run(
        file path: String,
        arguments: [String] = [],
        input: String = "",
        modules: String = "cryptography"
    ) async throws -> Outcome {
        // Takes the first Python that has the packages: that of the search path, or the distribution's. `-B` writes no
        // bytecode beside the script.
        let line =
            "for p in python3 /usr/bin/python3; do $p -c 'import \(modules)' 2>/dev/null && exec $p -B \"$@\"; done; exit 69"
        let result = try await Subprocess.run(
            .name("sh"), arguments: Arguments(["-c", line, "sh", path] + arguments), input: .string(input),
            output: .string(limit: 1 << 16), error: .string(limit: 1 << 16))
        return Outcome(
            status: result.terminationStatus.number, output: result.standardOutput,
            errors: result.standardError)
    }
}
