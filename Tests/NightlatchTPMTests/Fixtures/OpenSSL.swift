import Crypto
import Foundation
import Glibc
import NightlatchWire

/// The command `openssl`, which shares no code with ours.
enum OpenSSL {
    struct Unavailable: Error {}

    static func verifies(_ signature: [UInt8], of data: Data, by key: PublicJWK) async throws -> Bool {
        guard case .ec(let point) = key else { return false }
        let folder = NSTemporaryDirectory() + "nlssl-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data(point.verificationKey.pemRepresentation.utf8).write(to: URL(filePath: "\(folder)/key"))
        try P256.Signing.ECDSASignature(rawRepresentation: signature).derRepresentation
            .write(to: URL(filePath: "\(folder)/signature"))
        try data.write(to: URL(filePath: "\(folder)/data"))
        let arguments = [
            "openssl", "dgst", "-sha256", "-verify", "\(folder)/key", "-signature", "\(folder)/signature",
            "\(folder)/data",
        ]
        return try await ChildProcess.blocking {
            let process = try ChildProcess(arguments)
            let answer = process.readLine()
            process.finish()
            switch answer {
            case "Verified OK": return true
            case "Verification failure", "Verification Failure": return false
            default: throw Unavailable()
            }
        }
    }
}

/// Whether swift-crypto verifies the signature.
func isValid(_ signature: [UInt8], of data: Data, by key: PublicJWK) throws -> Bool {
    guard case .ec(let point) = key else { return false }
    return point.verificationKey.isValidSignature(
        try P256.Signing.ECDSASignature(rawRepresentation: signature), for: data)
}
