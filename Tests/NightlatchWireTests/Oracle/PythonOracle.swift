#if os(Linux) || os(macOS)
import Foundation

/// Other implementations that share no code with ours: ES256 by Python's `cryptography`, and canonical JSON by a few
/// lines over Python's `json`.
struct PythonOracle {
    private let interpreter: String

    struct Unavailable: Error, CustomStringConvertible {
        let description = """
            These tests hold our signatures against Python's. Install python3 with the package cryptography: \
            `apt-get install python3-cryptography` on Debian, `pip3 install cryptography` elsewhere. `make test` does it.
            """
    }

    /// - Throws: ``Unavailable`` if no Python has the package.
    init() throws {
        let found = Self.candidates.first { candidate in
            (try? Self.run(candidate, ["-c", "import cryptography"])) != nil
        }
        guard let found else { throw Unavailable() }
        interpreter = found
    }

    /// Verifies the signature of `message` with the key of these coordinates, and returns the payload.
    func verify(_ message: String, x: String, y: String) throws -> String {
        try Self.run(interpreter, ["-c", Self.script, "verify", message, x, y])
    }

    /// Signs a message with a new key, and returns X, Y and the compact JWS.
    func sign(header: String, payload: String) throws -> [String] {
        try Self.run(interpreter, ["-c", Self.script, "sign", header, payload]).components(separatedBy: "\n")
    }

    /// The SHA-256, in hexadecimal digits, of the RFC 8785 form of each element of a JSON array without fractions.
    func canonicalHashes(_ array: String) throws -> [String] {
        try Self.run(interpreter, ["-c", Self.script, "canonical", array]).components(separatedBy: "\n")
    }

    /// The first Python of the search path, then the system's Python, for which the distribution builds its packages.
    private static var candidates: [String] {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let found = path.split(separator: ":").map { "\($0)/python3" }.first(
            where: FileManager.default.isExecutableFile)
        return [found, "/usr/bin/python3"].compactMap(\.self)
    }

    private struct Failed: Error {
        let status: Int32
    }

    private static func run(_ executable: String, _ arguments: [String]) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: executable)
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed(status: process.terminationStatus) }
        return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines)
    }

    private static let script = """
        import base64, hashlib, json, sys
        from cryptography.hazmat.primitives import hashes
        from cryptography.hazmat.primitives.asymmetric import ec, utils

        def decode(text):
            return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))

        def encode(data):
            return base64.urlsafe_b64encode(data).rstrip(b"=").decode()

        def number(data):
            return int.from_bytes(data, "big")

        def canonical(value):
            if isinstance(value, dict):
                members = sorted(value.items(), key=lambda member: member[0].encode("utf-16-be"))
                return "{" + ",".join(canonical(name) + ":" + canonical(member) for name, member in members) + "}"
            if isinstance(value, list):
                return "[" + ",".join(map(canonical, value)) + "]"
            return json.dumps(value if isinstance(value, (str, bool)) else int(value), ensure_ascii=False)

        algorithm = ec.ECDSA(hashes.SHA256())
        if sys.argv[1] == "canonical":
            for value in json.loads(sys.argv[2]):
                print(hashlib.sha256(canonical(value).encode()).hexdigest())
        elif sys.argv[1] == "verify":
            message, x, y = sys.argv[2:5]
            signed, _, signature = message.rpartition(".")
            signature = decode(signature)
            assert len(signature) == 64
            numbers = ec.EllipticCurvePublicNumbers(number(decode(x)), number(decode(y)), ec.SECP256R1())
            der = utils.encode_dss_signature(number(signature[:32]), number(signature[32:]))
            numbers.public_key().verify(der, signed.encode(), algorithm)
            print(decode(signed.partition(".")[2]).decode())
        else:
            key = ec.generate_private_key(ec.SECP256R1())
            signed = ".".join(encode(part.encode()) for part in sys.argv[2:4])
            r, s = utils.decode_dss_signature(key.sign(signed.encode(), algorithm))
            point = key.public_key().public_numbers()
            print(encode(point.x.to_bytes(32, "big")))
            print(encode(point.y.to_bytes(32, "big")))
            print(signed + "." + encode(r.to_bytes(32, "big") + s.to_bytes(32, "big")))
        """
}
#endif
