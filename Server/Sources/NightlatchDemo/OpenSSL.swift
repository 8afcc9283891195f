import Crypto
import Foundation
import NightlatchPlatform
import NightlatchWire

/// Verifies an access token with the `openssl` program, as an independent implementation, against the server's
/// published keys.
struct OpenSSL {
    let folder: String

    /// Verifies a token, and checks that a changed token does not verify.
    ///
    /// - Returns: The output of `openssl`.
    func verify(_ token: AccessToken, of issuer: Issuer) async throws -> String {
        let keys = try await HTTPRelyingParty(issuer: issuer).signingKeys().keys.map(\.key)
        let message = try CompactJWS(token.rawValue)
        guard case .ec(let key)? = keys.first(where: { $0.thumbprint == message.header.keyID }) else {
            throw DemoFailure("the server publishes no key of the token's key id")
        }
        // Converts the JWK and the raw signature to the formats that openssl reads, PEM and DER.
        let pem = try P256.Signing.PublicKey(rawRepresentation: key.coordinates).pemRepresentation
        let der = try P256.Signing.ECDSASignature(rawRepresentation: message.signature).derRepresentation
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try write(Data(pem.utf8), as: "key.pem")
        try write(der, as: "signature.der")
        try write(Data(message.signingInput), as: "token.txt")
        let (status, answer) = try run()
        try DemoFailure.require(status == 0, "openssl does not verify the access token: \(answer)")

        // A control: if `openssl` accepts a changed token too, its first answer proves nothing.
        var changed = Data(message.signingInput)
        changed[changed.count - 1] ^= 1
        try write(changed, as: "token.txt")
        try DemoFailure.require(try run().status != 0, "openssl verifies a token that was changed")
        return answer
    }

    private func write(_ data: Data, as name: String) throws {
        try data.write(to: URL(fileURLWithPath: folder + "/" + name))
    }

    private func run() throws -> (status: Int32, answer: String) {
        let program = Process()
        let output = Pipe()
        program.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        program.arguments = [
            "openssl", "dgst", "-sha256", "-verify", folder + "/key.pem", "-signature", folder + "/signature.der",
            folder + "/token.txt",
        ]
        program.standardOutput = output
        program.standardError = output
        try program.run()
        let answer = output.fileHandleForReading.readDataToEndOfFile()
        program.waitUntilExit()
        try DemoFailure.require(program.terminationStatus != 127, "openssl is not installed: apt-get install openssl")
        return (
            program.terminationStatus,
            String(decoding: answer, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        )
    }
}
