import Foundation
import Subprocess

/// A certificate authority for one test and certificates that it has issued, made by OpenSSL.
struct TestCertificates {
    let folder: String

    var authority: String { folder + "/ca.pem" }
    var certificate: String { folder + "/tls.pem" }
    var key: String { folder + "/tls.key" }

    /// A program with arguments that runs a command in a system that trusts only this authority.
    var trusting: [String] { Self.wrapper(authority: authority) }

    private static func wrapper(authority: String) -> [String] {
        let bundle = "/etc/ssl/certs/ca-certificates.crt"
        return ["unshare", "-rm", "bash", "-c", "mount --bind '\(authority)' \(bundle) && exec \"$@\"", "bash"]
    }

    /// Whether ``trusting`` works on this machine.
    static func canBeTheSystems() async -> Bool {
        let line = wrapper(authority: "/dev/null") + ["true"]
        do {
            let result = try await Subprocess.run(
                .name(line[0]), arguments: Arguments(Array(line.dropFirst())), output: .discarded, error: .discarded)
            return result.terminationStatus.isSuccess
        } catch {
            return false
        }
    }

    /// Makes the authority and a first certificate in `folder`.
    init(in folder: String) async throws {
        self.folder = folder
        try await run(
            """
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout ca.key -out ca.pem -days 2 \
                -subj "/CN=A test's authority" -addext basicConstraints=critical,CA:true
            printf 'subjectAltName=IP:127.0.0.1' >extensions
            """)
        try await renew()
    }

    /// Replaces the certificate with a new one that has another key.
    func renew() async throws {
        try await run(
            """
            openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout tls.key -out tls.csr -subj /CN=server.example
            openssl x509 -req -in tls.csr -CA ca.pem -CAkey ca.key -days 2 -extfile extensions -out tls.pem \
                -set_serial $(date +%s%N)
            chmod 600 tls.key
            """)
    }

    /// Returns the serial number of the present certificate.
    func serial() async throws -> String {
        try await run("openssl x509 -in tls.pem -noout -serial").output
    }

    /// Runs a script in the folder.
    @discardableResult
    func run(_ script: String) async throws -> Outcome {
        let result = try await Subprocess.run(
            .name("bash"), arguments: ["-euc", "cd '\(folder)'\n" + script], output: .string(limit: 1 << 16),
            error: .string(limit: 1 << 16))
        return Outcome(
            status: result.terminationStatus.number, output: result.standardOutput, errors: result.standardError)
    }
}
