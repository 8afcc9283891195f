import Crypto
import Foundation
import NightlatchPKCS11
import NightlatchWire
import Testing

@Suite("A master key that a PKCS#11 token computes", .timeLimit(.minutes(10)))
struct TokenMasterKeyTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/server", withIntermediateDirectories: true)
    }

    @Test("A server with the token serves logins and PINs, also after a restart, and no file contains its master key")
    func serve() async throws {
        let token = try await SoftToken(in: folder)
        try await token.makeKey("master-key")
        let options = ["--master-key-file", token.uri(of: "master-key")]
        let (phone, status) = try await ServerProcess.run(in: folder, options: options, wrapper: token.wrapper) {
            server in
            let phone = try await TwoPartyPhone(at: server, in: folder)
            _ = try await phone.logIn(phone.unlock())
            return (phone, server.port)
        }
        #expect(status == 0)
        try await ServerProcess.run(in: folder, port: phone.1, options: options, wrapper: token.wrapper) { _ in
            let open = try await phone.0.unlock()
            #expect(try await TwoPartyPhone.secret(in: open) == TwoPartyPhone.secret)
            _ = try await phone.0.logIn(open)
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/server/master.key"))

        let rotated = try await command(["admin", "rotate-signing-key"], token)
        #expect(rotated.status == 0, "\(rotated.errors)")
        let verified = try await command(["audit", "verify"], token)
        #expect(verified.status == 0, "\(verified.errors)")
    }

    @Test("The key is HMAC-SHA256 of a fixed text: a file with that value, computed elsewhere, is the same master key")
    func sameKeyFromFile() async throws {
        let token = try await SoftToken(in: folder)
        let secret = try await token.makeOpenKey("known")
        #expect(secret.count == 32)
        let (phone, _) = try await ServerProcess.run(
            in: folder, options: ["--master-key-file", token.uri(of: "known")], wrapper: token.wrapper
        ) { server in (try await TwoPartyPhone(at: server, in: folder), server.port) }

        let code = try await Python.masterKey(computedWith: secret)
        #expect(
            FileManager.default.createFile(
                atPath: folder.path + "/server/master.key", contents: Data(code.output.utf8),
                attributes: [.posixPermissions: 0o600]))
        try await ServerProcess.run(in: folder, port: phone.1) { _ in
            let open = try await phone.0.unlock()
            #expect(try await TwoPartyPhone.secret(in: open) == TwoPartyPhone.secret)
        }
    }

    @Test("Another key of the token is another master key: a server of the first key refuses it and changes nothing")
    func otherKey() async throws {
        let token = try await SoftToken(in: folder)
        for key in ["first", "second"] { try await token.makeKey(key) }
        let options = ["--master-key-file", token.uri(of: "first")]
        let (phone, _) = try await ServerProcess.run(in: folder, options: options, wrapper: token.wrapper) { server in
            (try await TwoPartyPhone(at: server, in: folder), server.port)
        }
        let refused = try await serve(token, token.uri(of: "second"))
        #expect(refused.status == 1 && refused.errors.contains("another master key"), "\(refused.errors)")
        try await ServerProcess.run(in: folder, port: phone.1, options: options, wrapper: token.wrapper) { _ in
            _ = try await phone.0.logIn(phone.0.unlock())
        }
    }

    @Test("A wrong PIN is tried once, and the message says what to correct before the next start")
    func wrongPin() async throws {
        let token = try await SoftToken(in: folder)
        try await token.makeKey("master-key")
        try token.write(pin: "11111111")
        let refused = try await serve(token, token.uri(of: "master-key"))
        #expect(refused.status == 1 && refused.errors.contains("has counted this attempt"), "\(refused.errors)")
        #expect(!refused.errors.contains("11111111"))
        try token.write(pin: SoftToken.pin)
        let served = try await serve(token, token.uri(of: "master-key"))
        #expect(served.status == 0, "\(served.errors)")
    }

    enum Fault: CaseIterable {
        case noKey, twoKeys, noToken, noLibrary, noPinFile, openPinFile, keyOfAnotherType
    }

    @Test(
        "A token that cannot be used is refused with the reason, and no key is made instead", arguments: Fault.allCases)
    func refusal(_ fault: Fault) async throws {
        let token = try await SoftToken(in: folder)
        try await token.makeKey("master-key", type: fault == .keyOfAnotherType ? "AES:32" : "GENERIC:32")
        if fault == .twoKeys { try await token.makeKey("master-key") }
        if fault == .noPinFile { try FileManager.default.removeItem(atPath: token.pinFile) }
        if fault == .openPinFile {
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: token.pinFile)
        }
        let uri = token.uri(of: "master-key")
        let (used, status, words): (String, Int32, String) =
            switch fault {
            case .noKey: (token.uri(of: "none"), 1, "no secret key that matches")
            case .twoKeys: (uri, 2, "several keys match")
            case .noToken: (token.uri(of: "master-key", token: "none"), 3, "no token matches")
            case .noLibrary: (uri.replacing(token.library, with: "/nowhere/lib.so"), 2, "module-path names")
            case .noPinFile: (uri, 2, "there is no file \(token.pinFile)")
            case .openPinFile: (uri, 1, "chmod 600")
            case .keyOfAnotherType: (uri, 1, "cannot compute HMAC-SHA256")
            }
        let refused = try await serve(token, used)
        #expect(refused.status == status && refused.errors.contains(words), "\(refused.status) \(refused.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/server/master.key"))
    }

    @Test(
        "A URI that lacks a part, or contains the PIN, is refused before the token is touched",
        arguments: [
            ("pkcs11:token=a;object=b?pin-source=file:/p", "lacks module-path"),
            ("pkcs11:token=a;object=b?module-path=lib.so&pin-source=file:/p", "lacks module-path"),
            ("pkcs11:token=a;object=b?module-path=/lib.so", "lacks pin-source"),
            ("pkcs11:token=a;object=b?module-path=/lib.so&pin-source=p", "absolute path in pin-source"),
            ("pkcs11:token=a;object=b?module-path=/lib.so&pin-source=|cat%20/p", "absolute path in pin-source"),
            ("pkcs11:token=a;object=b?module-path=/lib.so&pin-source=file://host/p", "absolute path in pin-source"),
            ("pkcs11:token=a;object=b?module-path=/lib.so&pin-value=1234", "contains a PIN"),
            ("pkcs11:token=a?module-path=/lib.so&pin-source=file:/p", "lacks object or id"),
            ("pkcs11:token=a;object=b;colour=red?module-path=/lib.so&pin-source=file:/p", "an unknown part"),
            ("pkcs11:token=%zz;object=b?module-path=/lib.so&pin-source=file:/p", "not a URI of RFC 7512"),
        ])
    func badURI(_ text: String, _ words: String) throws {
        #expect {
            try PKCS11URI(text)
        } throws: { error in
            guard case PKCS11Error.uri(let reason) = error else { return false }
            return reason.contains(words)
        }
    }

    @Test(
        "A token that says that its PIN is blocked, or may be wrong only once more, gets no PIN",
        arguments: [
            (1 << 17, PKCS11Error.lastAttempt), (1 << 18, .pinBlocked), (1 << 17 | 1 << 18, .pinBlocked),
            (1 << 10 | 1 << 16, nil),
        ] as [(UInt, PKCS11Error?)])
    func noAttempt(_ flags: UInt, _ expected: PKCS11Error?) {
        #expect(PKCS11Error(pinFlags: flags) == expected)
    }

    /// Starts a server that ends at once, because its input ends.
    private func serve(_ token: SoftToken, _ uri: String) async throws -> Outcome {
        try await Nightlatch.run(
            [
                "serve", "--until-stdin-ends", "--listen", "127.0.0.1:0", "--master-key-file", uri,
                "--backend-key-file",
                folder.path + "/server/backend.key", "--database",
                "sqlite:" + folder.path + "/server/nightlatch.sqlite",
            ], wrapper: token.wrapper)
    }

    private func command(_ words: [String], _ token: SoftToken) async throws -> Outcome {
        try await Nightlatch.run(
            words + [
                "--database", "sqlite:" + folder.path + "/server/nightlatch.sqlite", "--master-key-file",
                token.uri(of: "master-key"),
            ], wrapper: token.wrapper)
    }
}
