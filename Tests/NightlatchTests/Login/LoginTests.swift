import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Login")
struct LoginTests {
    @Test("The device key gets tokens, and the vault keeps the refresh token")
    func logIn() async throws {
        let phone = try await TestPhone.bound()
        let session = try await phone.login.logIn(phone.open)
        let binding = try #require(try await phone.open.deviceBinding())
        #expect(session.user == binding.user)
        #expect(session.device == binding.device)
        #expect(session.accessToken == AccessToken(unchecked: "access-1"))
        #expect(session.life == .seconds(300))
        #expect(try await phone.open.text(named: "nightlatch.refresh-token") == "refresh-1")
    }

    @Test("The assertion has its claims, and the bound key, which its header names, signs it")
    func assertion() async throws {
        let phone = try await TestPhone.bound()
        let session = try await phone.login.logIn(phone.open)
        let device = try #require(await phone.relyingParty.devices[session.device])
        let message = try #require(await phone.relyingParty.logins.first)
        let claims = try message.claims(LoginClaims.self)
        #expect(isSigned(message, by: device.key))
        #expect(message.header.keyID == device.key.thumbprint)
        #expect(message.header.key == nil)
        #expect(claims.issuer == .default)
        #expect(claims.subject == session.user)
        #expect(claims.audience == phone.relyingParty.issuer)
        #expect(claims.issuedAt == ScriptedRelyingParty.now)
        #expect(claims.expiresAt - claims.issuedAt == .seconds(60))
        #expect(claims.possessionKey == device.possessionKey)
    }

    @Test("The possession key signs a proof of each request: its method, its URL and its token")
    func proofs() async throws {
        let phone = try await TestPhone.bound()
        let session = try await phone.login.logIn(phone.open)
        _ = try await session.devices()
        _ = try await session.revoke(session.device)
        let device = try #require(await phone.relyingParty.devices[session.device])
        let proofs = await phone.relyingParty.proofs
        let issuer = phone.relyingParty.issuer.rawValue
        let expected: [(method: String, url: String, hash: AccessTokenHash?)] = [
            ("POST", issuer + "/oauth/token", nil),
            ("GET", issuer + "/v1/devices", AccessTokenHash(of: session.accessToken)),
            (
                "POST", issuer + "/v1/devices/\(session.device.rawValue)/revoke",
                AccessTokenHash(of: session.accessToken)
            ),
        ]
        #expect(proofs.count == expected.count)
        for (proof, expected) in zip(proofs, expected) {
            let claims = try proof.claims(DPoPClaims.self)
            let key = try #require(proof.header.key)
            #expect(isSigned(proof, by: key))
            #expect(key.thumbprint == device.possessionKey)
            #expect(claims.method == expected.method)
            #expect(claims.url == expected.url)
            #expect(claims.accessTokenHash == expected.hash)
        }
        #expect(Set(try proofs.map { try $0.claims(DPoPClaims.self).id }).count == proofs.count)
    }

    @Test("Resuming uses the refresh token and keeps its successor, without a challenge")
    func resume() async throws {
        let phone = try await TestPhone.bound()
        _ = try await phone.login.logIn(phone.open)
        let session = try await phone.login.resume(phone.open)
        #expect(session.accessToken == AccessToken(unchecked: "access-2"))
        #expect(try await phone.open.text(named: "nightlatch.refresh-token") == "refresh-2")
        #expect(await phone.relyingParty.verbs.suffix(2) == [.tokens, .tokens])
    }

    @Test("Without a refresh token, or with a refused one, the device key logs in", arguments: [true, false])
    func fallback(hasToken: Bool) async throws {
        let phone = try await TestPhone.bound()
        if hasToken {
            _ = try await phone.login.logIn(phone.open)
            await phone.relyingParty.forgetRefreshTokens()
        }
        _ = try await phone.login.resume(phone.open)
        #expect(await phone.relyingParty.verbs.suffix(2) == [.beginLogin, .tokens])
        #expect(await phone.relyingParty.logins.count == (hasToken ? 2 : 1))
    }

    @Test(
        "Any other refusal of a refresh is reported, and does not start a login",
        arguments: [
            ProblemCode.dpopProofRefused, .unavailable, .internalError, ProblemCode(rawValue: "of_the_future"),
        ])
    func otherRefusal(code: ProblemCode) async throws {
        let phone = try await TestPhone.bound()
        _ = try await phone.login.logIn(phone.open)
        await phone.relyingParty.script(.tokens, .refuse(code))
        await #expect(throws: LoginError.relyingParty(ScriptedRelyingParty.refusal(code))) {
            try await phone.login.resume(phone.open)
        }
        #expect(await phone.relyingParty.logins.count == 1)
        _ = try await phone.login.resume(phone.open)
    }

    @Test(
        "A lost request or answer costs nothing",
        arguments: [
            ScriptedRelyingParty.Verb.beginLogin, .tokens,
        ], [ScriptedRelyingParty.Mishap.loseRequest, .loseAnswer, .cancel])
    func lost(verb: ScriptedRelyingParty.Verb, mishap: ScriptedRelyingParty.Mishap) async throws {
        let phone = try await TestPhone.bound()
        await phone.relyingParty.script(verb, mishap)
        await #expect(throws: LoginError.self) { try await phone.login.logIn(phone.open) }
        _ = try await phone.login.logIn(phone.open)
        let tokenBefore = try await phone.open.text(named: "nightlatch.refresh-token")
        guard verb == .tokens else { return }
        await phone.relyingParty.script(.tokens, mishap)
        await #expect(throws: LoginError.self) { try await phone.login.resume(phone.open) }
        #expect(try await phone.open.text(named: "nightlatch.refresh-token") == tokenBefore)
        _ = try await phone.login.resume(phone.open)
    }

    @Test(
        "A login between a refresh and its answer keeps its token, whatever the result of the refresh",
        arguments: [ScriptedRelyingParty.Mishap.loseRequest, .loseAnswer, .cancel, nil])
    func loginInBetween(mishap: ScriptedRelyingParty.Mishap?) async throws {
        let phone = try await TestPhone.bound()
        _ = try await phone.login.logIn(phone.open)
        let other = try await phone.vault.unlock(TestPin.right)
        let (steps, newest) = (Steps(), Shared<String?>(nil))
        steps.interrupt(at: 0) {
            do {
                #expect(try await phone.open.text(named: "nightlatch.refresh-token") == nil)
                _ = try await phone.login.logIn(other)
                let token = try await other.text(named: "nightlatch.refresh-token")
                newest.withLock { $0 = token }
                if let mishap { await phone.relyingParty.script(.tokens, mishap) }
            } catch {
                Issue.record(error)
            }
        }
        let login = Login(
            relyingParty: SteppedRelyingParty(base: phone.relyingParty, steps: steps), keys: phone.keys)
        if mishap == nil {
            _ = try await login.resume(phone.open)
        } else {
            await #expect(throws: LoginError.self) { try await login.resume(phone.open) }
        }
        let token = try #require(newest.withLock { $0 })
        #expect(try await phone.open.text(named: "nightlatch.refresh-token") == token)
    }

    @Test("If many callers resume at the same time, none uses a token that another has replaced", arguments: 0..<5)
    func resumeAtOnce(round: Int) async throws {
        let phone = try await TestPhone.bound()
        _ = try await phone.login.logIn(phone.open)
        var openings = [phone.open]
        for _ in 0..<5 { openings.append(try await phone.vault.unlock(TestPin.right)) }
        let tokens = try await withThrowingTaskGroup { group in
            for open in openings { group.addTask { try await phone.login.resume(open).accessToken } }
            return try await group.reduce(into: Set<AccessToken>()) { $0.insert($1) }
        }
        #expect(tokens.count == openings.count)
        // The token in the vault is valid.
        _ = try await phone.login.resume(phone.open)
        #expect(await phone.relyingParty.verbs.suffix(1) == [.tokens])
        let loginCount = await phone.relyingParty.logins.count
        _ = try await phone.login.resume(phone.open)
        #expect(await phone.relyingParty.logins.count == loginCount)
        #expect(await phone.relyingParty.reuseCount == 0)
    }

    @Test(
        "A blocked device keeps its keys and its binding, and logs in again after it is unblocked",
        arguments: [true, false])
    func blocked(resumes: Bool) async throws {
        let phone = try await TestPhone.bound()
        _ = try await phone.login.logIn(phone.open)
        let binding = try #require(try await phone.open.deviceBinding())
        await phone.relyingParty.barAll(.deviceBlocked)
        for _ in 0..<2 {
            await #expect(throws: LoginError.blocked) {
                resumes ? try await phone.login.resume(phone.open) : try await phone.login.logIn(phone.open)
            }
        }
        #expect(try await phone.keyCount() == 2)
        #expect(try await phone.open.deviceBinding() == binding)
        await phone.relyingParty.barAll(nil)
        #expect(try await phone.login.logIn(phone.open).device == binding.device)
    }

    @Test("A session renames, blocks and unblocks a device, each with a proof for that one request")
    func changes() async throws {
        let phone = try await TestPhone.bound()
        let session = try await phone.login.logIn(phone.open)
        let name = DeviceName(unchecked: "Kitchen")
        #expect(try await session.rename(session.device, to: name).name == name)
        #expect(try await session.block(session.device).status == .blocked)
        #expect(try await session.unblock(session.device).status == .active)
        let urls = try await phone.relyingParty.proofs.suffix(3).map { try $0.claims(DPoPClaims.self).url }
        let root = phone.relyingParty.issuer.rawValue + "/v1/devices/\(session.device.rawValue)/"
        #expect(urls == [root + "rename", root + "block", root + "unblock"])
    }

    @Test(
        "A revoked or replaced device loses its keys and its binding, and nothing else", arguments: [true, false],
        [ProblemCode.deviceRevoked, .deviceReplaced])
    func revoked(resumes: Bool, code: ProblemCode) async throws {
        let phone = try await TestPhone.bound()
        _ = try await phone.login.logIn(phone.open)
        await phone.relyingParty.barAll(code)
        await #expect(throws: LoginError.revoked) {
            resumes ? try await phone.login.resume(phone.open) : try await phone.login.logIn(phone.open)
        }
        #expect(try await phone.keyCount() == 0)
        #expect(try await phone.open.texts() == ["wallet": "seed"])
        await #expect(throws: LoginError.notBound) { try await phone.login.logIn(phone.open) }
        let binding = try await phone.bind(await phone.relyingParty.issueCode())
        #expect(try await phone.login.logIn(phone.open).device == binding.device)
    }

    @Test("A device without a binding, or with a pending one, sends no request", arguments: [true, false])
    func notBound(isPending: Bool) async throws {
        let phone = try await TestPhone()
        if isPending {
            await phone.relyingParty.script(.finishBinding, .loseAnswer)
            await #expect(throws: BindingError.self) { try await phone.bind(await phone.relyingParty.issueCode()) }
        }
        let verbs = await phone.relyingParty.verbs
        await #expect(throws: LoginError.notBound) { try await phone.login.logIn(phone.open) }
        await #expect(throws: LoginError.notBound) { try await phone.login.resume(phone.open) }
        #expect(await phone.relyingParty.verbs == verbs)
    }

    @Test("A relying party other than the device's gets no request")
    func otherRelyingParty() async throws {
        let phone = try await TestPhone.bound()
        _ = try await phone.login.logIn(phone.open)
        let other = ScriptedRelyingParty(issuer: Issuer(unchecked: "https://rp.example.net"))
        let login = Login(relyingParty: other, keys: phone.keys)
        let binding = try #require(try await phone.open.deviceBinding())
        let before = try await phone.store.read()
        await #expect(throws: LoginError.boundElsewhere(binding)) { try await login.logIn(phone.open) }
        await #expect(throws: LoginError.boundElsewhere(binding)) { try await login.resume(phone.open) }
        #expect(await other.verbs.isEmpty)
        #expect(try await phone.store.read() == before)
    }

    @Test("A binding without its password, or in an unknown state, is damaged, not absent", arguments: [true, false])
    func damaged(lacksPassword: Bool) async throws {
        let phone = try await TestPhone.bound()
        let verbs = await phone.relyingParty.verbs
        if lacksPassword {
            try await phone.open.removeAny([.deviceKeyPassword])
        } else {
            try await phone.open.set(#"{"of_the_future":{}}"#, named: "nightlatch.device-binding")
        }
        for _ in 0..<2 {
            await #expect(throws: LoginError.vault(.corrupt)) { try await phone.login.logIn(phone.open) }
            await #expect(throws: LoginError.vault(.corrupt)) { try await phone.login.resume(phone.open) }
        }
        #expect(await phone.relyingParty.verbs == verbs)
        #expect(try await phone.keyCount() == 2)
    }

    @Test(
        "A missing key and a damaged key have different errors, and the binding stays until it is forgotten",
        arguments: [DeviceKeyError.Code.absent, .corrupt], [true, false])
    func lostKey(code: DeviceKeyError.Code, isDeviceKey: Bool) async throws {
        let phone = try await TestPhone.bound()
        let binding = try #require(try await phone.open.deviceBinding())
        let tag = isDeviceKey ? binding.keys.deviceKey : binding.keys.possessionKey
        let store = try #require(phone.keyStores.withLock { $0[tag] })
        try await store.erase()
        if code == .corrupt { try await store.replace(StoredRecord(revision: 1, bytes: [7]), expecting: nil) }
        await #expect(throws: LoginError.key(DeviceKeyError(code))) { try await phone.login.logIn(phone.open) }
        #expect(try await phone.open.deviceBinding() == binding)
        try await phone.binder.forget(binding, in: phone.open)
        try await phone.bind(await phone.relyingParty.issueCode())
        #expect(try await phone.keyCount() == 2)
    }

    @Test("A locked vault sends no login")
    func locked() async throws {
        let phone = try await TestPhone.bound()
        let verbs = await phone.relyingParty.verbs
        await phone.open.lock()
        await #expect(throws: LoginError.vault(.locked)) { try await phone.login.logIn(phone.open) }
        #expect(await phone.relyingParty.verbs == verbs)
    }
}
