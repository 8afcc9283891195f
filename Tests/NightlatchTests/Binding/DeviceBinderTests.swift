import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Binding a device")
struct DeviceBinderTests {
    @Test("The device is bound, the vault has the binding, and both keys exist")
    func bind() async throws {
        let phone = try await TestPhone()
        #expect(try await phone.open.deviceBinding() == nil)
        let binding = try await phone.bind(await phone.relyingParty.issueCode())
        let device = try #require(await phone.relyingParty.devices[binding.device])
        #expect(binding.user == UserID(unchecked: "alice"))
        #expect(binding.issuer == phone.relyingParty.issuer)
        #expect(device.result.user == binding.user)
        #expect(try await phone.open.deviceBinding() == binding)
        #expect(try await phone.vault.unlock(TestPin.right).deviceBinding() == binding)
        #expect(try await phone.keyCount() == 2)
        #expect(try await phone.open.text(named: "wallet") == "seed")
    }

    @Test("The message has its claims, dated by the relying party's clock, and the key that it contains signs it")
    func message() async throws {
        let phone = try await TestPhone()
        let binding = try await phone.bind(await phone.relyingParty.issueCode())
        let message = try #require(await phone.relyingParty.bindings.first)
        let claims = try message.claims(BindingClaims.self)
        #expect(message.header.type == .binding)
        #expect(message.header.algorithm == .es256)
        #expect(message.header.keyID == nil)
        #expect(claims.issuer == .default)
        #expect(claims.subject == binding.user)
        #expect(claims.audience == phone.relyingParty.issuer)
        #expect(claims.issuedAt == ScriptedRelyingParty.now)
        #expect(claims.expiresAt - claims.issuedAt == .seconds(60))
        #expect(claims.deviceName == DeviceName(unchecked: "Phone"))
        let key = try #require(message.header.key)
        #expect(isSigned(message, by: key))
        #expect(claims.possessionKey != key.thumbprint)
        #expect(
            try await phone.keys.find(binding.keys.possessionKey, access: .unattended)?.publicKey.thumbprint
                == claims.possessionKey)
    }

    @Test("The device key signs only with the password that the vault keeps")
    func sealedKey() async throws {
        let phone = try await TestPhone()
        let binding = try await phone.bind(await phone.relyingParty.issueCode())
        await #expect(throws: DeviceKeyError(.wrongAccess)) {
            try await phone.keys.find(binding.keys.deviceKey, access: .unattended)
        }
        await #expect(throws: DeviceKeyError(.wrongAccess)) {
            try await phone.keys.find(binding.keys.deviceKey, access: .applicationPassword(.random(byteCount: 32)))
        }
    }

    @Test(
        "After a lost request or answer, the same call uses the same key and gets the same answer",
        arguments: [
            ScriptedRelyingParty.Verb.beginBinding, .finishBinding,
        ], [ScriptedRelyingParty.Mishap.loseRequest, .loseAnswer, .cancel])
    func lost(verb: ScriptedRelyingParty.Verb, mishap: ScriptedRelyingParty.Mishap) async throws {
        let phone = try await TestPhone()
        let code = await phone.relyingParty.issueCode()
        await phone.relyingParty.script(verb, mishap)
        await #expect(throws: BindingError.self) { try await phone.bind(code) }
        #expect(try await phone.keyCount() == 2)
        #expect(try await phone.open.deviceBinding() == nil)
        let keysBefore = phone.keyStores.withLock { Set($0.keys) }

        let binding = try await phone.bind(code, in: try await phone.vault.unlock(TestPin.right))
        #expect(phone.keyStores.withLock { Set($0.keys) } == keysBefore)
        #expect(Set([binding.keys.deviceKey, binding.keys.possessionKey]) == keysBefore)
        #expect(await phone.relyingParty.devices.count == 1)
        #expect(Set(await phone.relyingParty.bindings.map(\.header.key)).count == 1)
        let ids = try await phone.relyingParty.bindings.map { try $0.claims(BindingClaims.self).id }
        #expect(Set(ids).count == ids.count, "each message has an id of its own")
    }

    @Test(
        "A refusal of the first call leaves no key and a clean vault",
        arguments: [
            ScriptedRelyingParty.Verb.beginBinding, .finishBinding,
        ], [ProblemCode.enrolmentCodeRefused, .messageRefused, .challengeUsed, ProblemCode(rawValue: "of_the_future")])
    func refused(verb: ScriptedRelyingParty.Verb, code: ProblemCode) async throws {
        let phone = try await TestPhone()
        await phone.relyingParty.script(verb, .refuse(code))
        await #expect(throws: BindingError.relyingParty(ScriptedRelyingParty.refusal(code))) {
            try await phone.bind(await phone.relyingParty.issueCode())
        }
        #expect(try await phone.keyCount() == 0)
        #expect(try await phone.open.texts() == ["wallet": "seed"])
        try await phone.bind(await phone.relyingParty.issueCode())
    }

    @Test(
        "After a server error, which decides nothing, the keys stay, and the same call learns that they are bound",
        arguments: [
            ScriptedRelyingParty.Verb.beginBinding, .finishBinding,
        ], [ProblemCode.unavailable, .internalError, .rateLimited])
    func failed(verb: ScriptedRelyingParty.Verb, code: ProblemCode) async throws {
        let phone = try await TestPhone()
        let enrolmentCode = await phone.relyingParty.issueCode()
        await phone.relyingParty.script(verb, .refuseAfterwards(code))
        await #expect(throws: BindingError.relyingParty(ScriptedRelyingParty.refusal(code))) {
            try await phone.bind(enrolmentCode)
        }
        let tags = try await phone.keyTags()
        #expect(tags.count == 2)
        let binding = try await phone.bind(enrolmentCode)
        #expect(Set([binding.keys.deviceKey, binding.keys.possessionKey]) == tags)
        #expect(await phone.relyingParty.devices.keys.map(\.self) == [binding.device])
    }

    @Test(
        "A refusal of a repeated call keeps the keys, which an earlier call may have bound",
        arguments: [ProblemCode.enrolmentCodeRefused, .messageRefused, .unavailable])
    func refusedLater(code: ProblemCode) async throws {
        let (phone, enrolmentCode) = try await TestPhone.pending()
        await phone.relyingParty.script(.beginBinding, .refuse(code))
        await #expect(throws: BindingError.relyingParty(ScriptedRelyingParty.refusal(code))) {
            try await phone.bind(enrolmentCode)
        }
        #expect(try await phone.keyCount() == 2)
        let binding = try await phone.bind(enrolmentCode)
        #expect(await phone.relyingParty.devices.keys.map(\.self) == [binding.device])
    }

    @Test("Keys that were bound without an answer, and then blocked, stay")
    func blockedWhilePending() async throws {
        let (phone, code) = try await TestPhone.pending()
        await phone.relyingParty.barAll(.deviceBlocked)
        await #expect(throws: BindingError.relyingParty(ScriptedRelyingParty.refusal(.deviceBlocked))) {
            try await phone.bind(code)
        }
        #expect(try await phone.keyCount() == 2)
        await phone.relyingParty.barAll(nil)
        let binding = try await phone.bind(code)
        #expect(await phone.relyingParty.devices.keys.map(\.self) == [binding.device])
    }

    @Test(
        "Keys that were bound without an answer, and then revoked or replaced, are removed by the next call",
        arguments: [ProblemCode.deviceRevoked, .deviceReplaced])
    func revokedWhilePending(problem: ProblemCode) async throws {
        let (phone, code) = try await TestPhone.pending()
        await phone.relyingParty.barAll(problem)
        await #expect(throws: BindingError.relyingParty(ScriptedRelyingParty.refusal(problem))) {
            try await phone.bind(code)
        }
        #expect(try await phone.keyCount() == 0)
        #expect(try await phone.open.texts() == ["wallet": "seed"])
        let binding = try await phone.bind(await phone.relyingParty.issueCode())
        #expect(try await phone.login.logIn(phone.open).device == binding.device)
    }

    @Test("Another code starts over with other keys, for the same user or another", arguments: ["alice", "bob"])
    func otherCode(user: String) async throws {
        let (phone, _) = try await TestPhone.pending()
        let tagsBefore = try await phone.keyTags()
        let user = UserID(unchecked: user)
        let binding = try await phone.bind(await phone.relyingParty.issueCode(for: user))
        #expect(binding.user == user)
        let tags = try await phone.keyTags()
        #expect(tags == [binding.keys.deviceKey, binding.keys.possessionKey])
        #expect(tags.isDisjoint(with: tagsBefore))
        #expect(try await phone.login.logIn(phone.open).user == user)
    }

    @Test("Another relying party gets other keys")
    func otherRelyingParty() async throws {
        let (phone, code) = try await TestPhone.pending()
        let other = ScriptedRelyingParty(issuer: Issuer(unchecked: "https://rp.example.net"))
        await other.accept(code)
        let binder = DeviceBinder(relyingParty: other, keys: phone.keys)
        let binding = try await binder.bind(phone.open, code: code, deviceName: DeviceName(unchecked: "Phone"))
        #expect(binding.issuer == other.issuer)
        #expect(try await phone.keyTags() == [binding.keys.deviceKey, binding.keys.possessionKey])
        let shown = await phone.relyingParty.bindings.map(\.header.key)
        #expect(await !shown.contains(try #require(other.bindings.first).header.key))
    }

    @Test("Concurrent calls with one code make one binding", arguments: 0..<5)
    func many(round: Int) async throws {
        let phone = try await TestPhone()
        let code = await phone.relyingParty.issueCode()
        var openings = [phone.open]
        for _ in 0..<5 { openings.append(try await phone.vault.unlock(TestPin.right)) }
        let bindings = try await withThrowingTaskGroup { group in
            for open in openings {
                group.addTask { () async throws -> DeviceBinding in
                    do {
                        return try await phone.bind(code, in: open)
                    } catch BindingError.alreadyBound(let binding) {
                        return binding
                    }
                }
            }
            return try await group.reduce(into: Set<DeviceBinding>()) { $0.insert($1) }
        }
        let binding = try #require(try await phone.open.deviceBinding())
        #expect(bindings == [binding])
        #expect(await phone.relyingParty.devices.keys.map(\.self) == [binding.device])
        #expect(try await phone.keyTags() == [binding.keys.deviceKey, binding.keys.possessionKey])
        _ = try await phone.login.logIn(phone.open)
    }

    @Test("A bound device sends no request")
    func alreadyBound() async throws {
        let phone = try await TestPhone()
        let binding = try await phone.bind(await phone.relyingParty.issueCode())
        let verbs = await phone.relyingParty.verbs
        let before = try await phone.store.read()
        await #expect(throws: BindingError.alreadyBound(binding)) {
            try await phone.bind(await phone.relyingParty.issueCode())
        }
        #expect(await phone.relyingParty.verbs == verbs)
        #expect(try await phone.store.read() == before)
    }

    @Test("A locked vault binds nothing and sends no request")
    func locked() async throws {
        let phone = try await TestPhone()
        await phone.open.lock()
        await #expect(throws: BindingError.vault(.locked)) {
            try await phone.bind(await phone.relyingParty.issueCode())
        }
        #expect(await phone.relyingParty.verbs.isEmpty)
        #expect(try await phone.keyCount() == 0)
    }

    @Test("Forgetting a binding removes only its keys and secrets, and can be repeated")
    func forget() async throws {
        let phone = try await TestPhone.bound()
        let binding = try #require(try await phone.open.deviceBinding())
        for _ in 0..<2 { try await phone.binder.forget(binding, in: phone.open) }
        #expect(try await phone.keyCount() == 0)
        #expect(try await phone.open.texts() == ["wallet": "seed"])
        #expect(try await phone.open.deviceBinding() == nil)
    }

    @Test("Forgetting a former binding does not affect the present one")
    func forgetLate() async throws {
        let phone = try await TestPhone.bound()
        let old = try #require(try await phone.open.deviceBinding())
        try await phone.binder.forget(old, in: phone.open)
        let binding = try await phone.bind(await phone.relyingParty.issueCode())
        let before = try await phone.store.read()
        try await phone.binder.forget(old, in: phone.open)
        #expect(try await phone.store.read() == before)
        #expect(try await phone.keyTags() == [binding.keys.deviceKey, binding.keys.possessionKey])
    }

    @Test("The binding survives a change of PIN")
    func changedPin() async throws {
        let phone = try await TestPhone.bound()
        let open = try await phone.vault.changePin(TestPin.right, to: TestPin.new)
        _ = try await phone.login.logIn(open)
    }
}
