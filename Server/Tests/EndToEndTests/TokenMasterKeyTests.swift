import Dispatch
import Foundation
import NightlatchPKCS11
import NightlatchRelyingParty
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
        #expect(code.status == 0, "\(code.errors)")
        let masterKey = try #require(Base64URL.decode(code.output.trimmingCharacters(in: .whitespacesAndNewlines)))
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            guard let file = FileManager.default.contents(atPath: folder.path + "/" + path) else { continue }
            for key in [secret, Array(masterKey)] { #expect(file.range(of: Data(key)) == nil, "\(path)") }
        }
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
        #expect(refused.status == 1 && refused.errors.contains("may have counted this attempt"), "\(refused.errors)")
        #expect(!refused.errors.contains("11111111"))
        try token.write(pin: SoftToken.pin)
        let served = try await serve(token, token.uri(of: "master-key"))
        #expect(served.status == 0, "\(served.errors)")
    }

    enum Fault: CaseIterable {
        case noKey, twoKeys, publicKey, noToken, twoTokens, noLibrary, openLibrary, noPinFile, openPinFile, emptyPinFile
        case keyOfAnotherType
    }

    @Test(
        "A token that cannot be used is refused with the reason, and no key is made instead", arguments: Fault.allCases)
    func refusal(_ fault: Fault) async throws {
        let token = try await SoftToken(in: folder)
        try await token.makeKey(
            "master-key", type: fault == .keyOfAnotherType ? "AES:32" : "GENERIC:32", isPrivate: fault != .publicKey)
        if fault == .twoKeys { try await token.makeKey("master-key") }
        if fault == .noPinFile { try FileManager.default.removeItem(atPath: token.pinFile) }
        if fault == .openPinFile {
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: token.pinFile)
        }
        if fault == .emptyPinFile { try token.write(pin: "") }
        if fault == .twoTokens { try await token.makeTwin() }
        let openLibrary = folder.path + "/library.so"
        if fault == .openLibrary {
            try FileManager.default.copyItem(
                atPath: URL(filePath: token.library).resolvingSymlinksInPath().path, toPath: openLibrary)
            try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: openLibrary)
        }
        let uri = token.uri(of: "master-key")
        let (used, status, words): (String, Int32, String) =
            switch fault {
            case .noKey: (token.uri(of: "none"), 1, "no secret key that matches")
            case .twoKeys: (uri, 2, "several keys match")
            case .noToken: (token.uri(of: "master-key", token: "none"), 3, "no token matches")
            case .publicKey: (uri, 1, "is not private")
            case .twoTokens: (uri, 2, "several tokens match")
            case .noLibrary:
                (uri.replacing(token.library, with: "/nowhere/lib.so"), 2, "there is no file /nowhere/lib.so")
            case .openLibrary: (uri.replacing(token.library, with: openLibrary), 2, "other users can change")
            case .emptyPinFile: (uri, 2, "is empty")
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
            ("pkcs11:object=b?module-path=/lib.so&pin-source=file:/p", "lacks token or serial"),
            ("pkcs11:token=a;object=b;type=private?module-path=/lib.so&pin-source=file:/p", "another type"),
            ("pkcs11:token=a;object=b;slot-id=3?module-path=/lib.so&pin-source=file:/p", "an unknown part"),
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

    @Test("The file with the PIN is a path or a file URI", arguments: ["/p", "file:/p", "file:///p"])
    func pinFile(_ source: String) throws {
        #expect(try PKCS11URI("pkcs11:token=a;object=b?module-path=/lib.so&pin-source=\(source)").pinFile == "/p")
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

    @Test("The message about a URI that contains a PIN does not contain the PIN")
    func pinInURI() async throws {
        let token = try await SoftToken(in: folder)
        for uri in [
            "pkcs11:token=a;object=b?pin-value=4711", "pkcs11:colour=red?pin-value=4711", "pkcs11:%zz?pin-value=4711",
        ] {
            let refused = try await serve(token, uri)
            #expect(refused.status == 2 && !(refused.errors + refused.output).contains("4711"), "\(refused.errors)")
        }
    }

    @Test(
        "After a login failed, only a token that is gone is worth another start: any other code may mean a wrong PIN",
        arguments: [
            (0, nil), (0x100, nil), (0xa0, "pin"), (0xa2, "pin"), (0xa3, "pin"), (0xa4, "blocked"), (0x102, "pin"),
            (0x5, "pin"), (0x8000_0001, "pin"), (0x30, "failed"), (0x32, "failed"), (0xb3, "failed"), (0xe0, "failed"),
        ] as [(UInt, String?)])
    func loginResult(_ result: UInt, _ expected: String?) {
        let kind: String? =
            switch PKCS11Error(loginResult: result) {
            case nil: nil
            case .pinRefused: "pin"
            case .pinBlocked: "blocked"
            case .failed: "failed"
            default: "another"
            }
        #expect(kind == expected)
    }

    @Test("A key is unusable only if the token says so; other errors may be over at the next start")
    func signingResult() {
        #expect(PKCS11Error(signingResult: 0) == nil)
        for result: UInt in [0x62, 0x63, 0x68, 0x70, 0x71] {
            guard case .keyUnusable = PKCS11Error(signingResult: result) else {
                Issue.record("\(result)")
                continue
            }
        }
        for result: UInt in [0x2, 0x5, 0x30, 0x32, 0xe0] {
            guard case .failed = PKCS11Error(signingResult: result) else {
                Issue.record("\(result)")
                continue
            }
        }
    }

    @Test("A token that does not answer is given up")
    func silentToken() throws {
        let end = DispatchSemaphore(value: 0)
        defer { end.signal() }
        #expect(throws: PKCS11Error.failed("it does not answer")) {
            try MasterKey.waiting(atMost: .milliseconds(1)) { () throws(PKCS11Error) in
                end.wait()
                return MasterKey.random()
            }
        }
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
