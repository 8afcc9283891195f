import Foundation
import Nightlatch
import NightlatchJourney
import NightlatchPlatform
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Programs written for the vendor's SDK")
struct ProgramTests {
    private let environment: DeviceBindingEnvironment
    private let clock = ManualClock()

    init() {
        let stores = Shared<[String: MemoryStore]>([:])
        let store: @Sendable (String) -> MemoryStore = { name in
            stores.withLock { stores in
                if let known = stores[name] { return known }
                let new = MemoryStore()
                stores[name] = new
                return new
            }
        }
        let keyrings = Shared<[KeyTag: ScriptedBiometrics]>([:])
        let clock = clock
        environment = DeviceBindingEnvironment(
            applicationID: "com.example.app", registry: MemoryStore(),
            deviceKeys: SoftwareDeviceKeys { store("key \($0)") }, clock: clock,
            vault: { tag in
                Vault(
                    store: store("vault \(tag)"), clock: clock,
                    configuration: VaultConfiguration(keyDerivation: .cheap, keyDerivationBounds: .forTests))
            },
            biometrics: { tag, _ in
                keyrings.withLock { keyrings in
                    if let known = keyrings[tag] { return known }
                    let new = ScriptedBiometrics()
                    keyrings[tag] = new
                    return new
                }
            })
    }

    private func bind(
        _ type: String,
        user: String = "demo",
        _ act: (DeviceBindingCallback) async -> String
    ) async -> [String] {
        let journey = makeJourney(environment, .binding(type, user: user))
        return await finish(await start(journey, "Bind")) { callback in
            guard let callback = callback as? DeviceBindingCallback else { return "" }
            return await act(callback)
        }
    }

    private func sign(user: String, _ act: (DeviceSigningVerifierCallback) async -> String) async -> [String] {
        let journey = makeJourney(environment, .signing(user: user))
        return await finish(await start(journey, "Sign")) { callback in
            guard let callback = callback as? DeviceSigningVerifierCallback else { return "" }
            return await act(callback)
        }
    }

    @Test("The programs bind and sign with every authentication type")
    func types() async {
        #expect(await bind("NONE") { await bindPlainly($0) } == ["success", "token"])
        #expect(await sign(user: "id=demo") { await signPlainly($0) } == ["success", "token"])
        #expect(await bind("APPLICATION_PIN") { await bindWithPin($0) } == ["success", "token"])
        #expect(await sign(user: "id=demo") { await signTransaction($0) } == ["success", "token"])
        #expect(await bind("APPLICATION_PIN") { await bindWithAuthenticator($0) } == ["success", "token"])
        for type in ["BIOMETRIC_ONLY", "BIOMETRIC_ALLOW_FALLBACK"] {
            #expect(await bind(type) { await bindWithBiometrics($0) } == ["success", "token"])
            #expect(await sign(user: "") { await signPlainly($0) } == ["success", "token"])
        }
    }

    @Test("Keys keep the tags that the programs give to authenticators")
    func names() async throws {
        #expect(makeAuthenticators().count == 4)
        #expect(await bind("BIOMETRIC_ONLY") { await bindWithBiometrics($0) } == ["success", "token"])
        let keys = try #require(makeJourney(environment, .signing(user: "")).userKeys)
        #expect(try await keys.getAllKeys().map(\.keyTag) == ["my-biometric-key-tag"])
    }

    @Test("The programs read the errors that they know")
    func errors() async {
        #expect(
            await sign(user: "id=demo") { await signPlainly($0) }
                == ["PublicKey or PrivateKey Not found in Device", "token"])
        #expect(
            await bind("APPLICATION_PIN") { await bindPlainly($0) }.first?.hasPrefix("Device not supported") == true)
        #expect(await bind("APPLICATION_PIN") { await bindWithPin($0) } == ["success", "token"])
        #expect(await sign(user: "id=demo") { await signReserved($0) } == ["invalidCustomClaims", "token"])
        #expect(await sign(user: "id=demo") { await signAndCancel($0) } == ["abort", "token"])
        #expect(
            await sign(user: "id=demo") { await signAsked($0, by: ForgetfulPinCollector()) } == [
                "unAuthorize", "token",
            ])
    }

    @Test("The programs get a timeout when the user does not answer within the callback's time")
    func timeout() async {
        #expect(await bind("APPLICATION_PIN") { await bindWithPin($0) } == ["success", "token"])
        let absent = AbsentPinCollector { [clock] in clock.advance(by: .seconds(60)) }
        #expect(await sign(user: "id=demo") { await signAsked($0, by: absent) } == ["timeout", "token"])
    }

    @Test("The programs let the user select among several users' keys")
    func selection() async {
        for user in ["alice", "bob"] {
            #expect(await bind("NONE", user: user) { await bindPlainly($0) } == ["success", "token"])
        }
        #expect(await sign(user: "") { await signTransaction($0) } == ["success", "token"])
        #expect(await sign(user: "") { await signAndSelectNone($0) } == ["abort", "token"])
    }

    @Test("The programs use callbacks from tasks of the main actor")
    func mainActor() async throws {
        let model = await MainActor.run { BindingViewModel() }
        for (server, status) in [
            (ProgramServer.binding("APPLICATION_PIN"), "bound"), (.signing(user: ""), "signed"),
            (.signing(user: "id=somebody"), "PublicKey or PrivateKey Not found in Device"),
        ] {
            let first = await start(makeJourney(environment, server), "Device")
            let node = try #require(await (first as? ContinueNode)?.next() as? ContinueNode)
            let (done, end) = AsyncStream<Void>.makeStream()
            switch node.callbacks.first {
            case let callback as DeviceBindingCallback:
                await model.handleDeviceBinding(callback: callback) { end.finish() }
            case let callback as DeviceSigningVerifierCallback:
                await model.handleDeviceSigning(callback: callback) { end.finish() }
            default: end.finish()
            }
            for await _ in done {}
            #expect(await model.status == status)
            _ = await node.next()
        }
    }

    #if os(Linux) || os(macOS)
    @Test("The screen with the list of keys shows and deletes them")
    func keyList() async {
        // The screen uses the process's last environment, which other tests replace.
        await #expect(processExitsWith: .success) { try await ProgramTests().showKeys() }
    }
    #endif

    private func showKeys() async throws {
        for user in ["alice", "bob", "carol"] { _ = await bind("NONE", user: user) { await bindPlainly($0) } }
        let model = await MainActor.run { BindingKeysViewModel() }
        await model.prepare()
        await model.fetchKeys()
        try #require(await model.keys.map(\.username) == ["alice", "bob", "carol"])
        await model.delete(try #require(await model.keys.first))
        try #require(await model.keys.map(\.username) == ["bob", "carol"])
        await model.deleteAll()
        try #require(await model.keys.isEmpty)
        try #require(await model.message.isEmpty)
    }

    @Test("A program's own authenticator sees the prompt, sets the times and refuses claims")
    func ownAuthenticator() async {
        let bound = await bind("APPLICATION_PIN") { callback in
            let title = await bindCarefully(callback, note: nil)
            #expect(claim("iat", in: callback) == 1_790_000_000 && claim("nbf", in: callback) == 1_790_000_000)
            return title
        }
        #expect(bound == ["Title", "token"])
        #expect(
            await bind("APPLICATION_PIN") { await bindCarefully($0, note: "n") } == ["invalidCustomClaims", "token"])
        let signed = await sign(user: "id=demo") { callback in
            let result = await signCarefully(callback, with: CarefulAuthenticator())
            #expect(claim("iat", in: callback) == 1_790_000_000 && claim("nbf", in: callback) == 1_790_000_000)
            return result
        }
        #expect(signed == ["success", "token"])
    }

    @Test("A time that a call sets replaces that of the program's authenticator")
    func ownTimes() async {
        let bound = await bind("APPLICATION_PIN") { callback in
            let result = await callback.bind { config in
                config.deviceAuthenticator = CarefulAuthenticator()
                config.issueTime = { Date(timeIntervalSince1970: 1_700_000_000) }
            }
            #expect(claim("iat", in: callback) == 1_700_000_000 && claim("nbf", in: callback) == 1_790_000_000)
            return message(of: result)
        }
        #expect(bound == ["success", "token"])
    }

    /// A number among the claims of the message that a callback sends. Nil if there is none.
    private func claim(_ name: String, in callback: any Callback) -> Int? {
        guard let jws = input("jws", of: callback) as? String else { return nil }
        let parts = jws.split(separator: ".")
        guard parts.count == 3, let bytes = Base64URL.decode(String(parts[1])) else { return nil }
        let claims = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
        return claims?[name] as? Int
    }

    private func input(_ name: String, of callback: any Callback) -> Any? {
        let inputs = callback.json["input"] as? [[String: Any]] ?? []
        return inputs.first { ($0["name"] as? String)?.hasSuffix(name) == true }?["value"]
    }

    @Test("A call can ask for a stronger protection and another name, and a program can answer by itself")
    func callbackMembers() async throws {
        let named = await bind("NONE") { callback in
            let result = await bindWithName(callback)
            #expect(input("deviceName", of: callback) as? String == "DEVICE")
            return result
        }
        #expect(named == ["success", "token"])
        let keys = try #require(makeJourney(environment, .signing(user: "")).userKeys)
        #expect(try await keys.getAllKeys().map(\.authType) == [.applicationPin])
        let answered = await bind("NONE") { callback in
            #expect("\(answerBinding(callback, "a.b.c"))".contains("a.b.c"))
            #expect(input("jws", of: callback) as? String == "a.b.c")
            #expect(input("deviceId", of: callback) as? String == "device")
            return input("deviceName", of: callback) as? String ?? ""
        }
        #expect(answered == ["Phone", "token"])
        let signed = await sign(user: "id=demo") { callback in
            #expect("\(answerSigning(callback, "d.e.f"))".contains("d.e.f"))
            return input("jws", of: callback) as? String ?? ""
        }
        #expect(signed == ["d.e.f", "token"])
    }
}
