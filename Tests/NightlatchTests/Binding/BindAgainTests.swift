import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Binding a device again")
struct BindAgainTests {
    private static func bindAgain(_ phone: TestPhone, _ code: EnrolmentCode) async throws -> DeviceBinding {
        try await phone.binder.bindAgain(phone.open, code: code, deviceName: DeviceName(unchecked: "Phone"))
    }

    @Test("After the relying party was restored, the device gets a new id for its existing keys, and the vault stays")
    func restored() async throws {
        let phone = try await TestPhone.bound()
        let old = try #require(try await phone.open.deviceBinding())
        _ = try await phone.login.logIn(phone.open)
        await phone.relyingParty.forgetDevices()
        await #expect(throws: LoginError.relyingParty(ScriptedRelyingParty.refusal(.messageRefused))) {
            try await phone.login.logIn(phone.open)
        }

        let new = try await Self.bindAgain(phone, await phone.relyingParty.issueCode())
        #expect(new.device != old.device)
        #expect(new.user == old.user)
        #expect(new.keys == old.keys)
        #expect(try await phone.open.deviceBinding() == new)
        #expect(try await phone.keyCount() == 2)
        #expect(try await phone.open.text(named: "wallet") == "seed")
        let refused = await phone.relyingParty.reuseCount
        #expect(try await phone.login.resume(phone.open).device == new.device)
        #expect(await phone.relyingParty.logins.count == 3, "the refresh token of the old device is gone")
        #expect(await phone.relyingParty.reuseCount == refused)
    }

    @Test("A relying party that knows the device returns the same binding, and a reused code changes nothing")
    func known() async throws {
        let phone = try await TestPhone.bound()
        let old = try #require(try await phone.open.deviceBinding())
        let code = await phone.relyingParty.issueCode()
        #expect(try await Self.bindAgain(phone, code) == old)
        #expect(try await Self.bindAgain(phone, code) == old)
        #expect(await phone.relyingParty.devices.count == 1)
    }

    @Test(
        "A refusal, a lost message and a cancel leave the binding as it was",
        arguments: [ScriptedRelyingParty.Verb.beginBinding, .finishBinding],
        [
            ScriptedRelyingParty.Mishap.refuse(.enrolmentCodeRefused), .refuse(.messageRefused),
            .refuse(.deviceBlocked),
            .refuse(.unavailable), .loseRequest, .loseAnswer, .cancel,
        ])
    func failures(verb: ScriptedRelyingParty.Verb, mishap: ScriptedRelyingParty.Mishap) async throws {
        let phone = try await TestPhone.bound()
        let old = try #require(try await phone.open.deviceBinding())
        await phone.relyingParty.forgetDevices()
        let code = await phone.relyingParty.issueCode()
        await phone.relyingParty.script(verb, mishap)
        await #expect(throws: BindingError.self) { try await Self.bindAgain(phone, code) }
        #expect(try await phone.open.deviceBinding() == old)
        #expect(try await phone.keyCount() == 2)
        #expect(try await Self.bindAgain(phone, code).keys == old.keys, "the same call with the same code carries on")
    }

    @Test("A code of another user binds nothing, and nothing is signed for it")
    func otherUser() async throws {
        let phone = try await TestPhone.bound()
        let old = try await phone.open.deviceBinding()
        let bert = UserID(unchecked: "bert")
        let sent = await phone.relyingParty.bindings.count
        await #expect(throws: BindingError.codeOfAnotherUser(bert)) {
            try await Self.bindAgain(phone, await phone.relyingParty.issueCode(for: bert))
        }
        #expect(await phone.relyingParty.bindings.count == sent)
        #expect(try await phone.open.deviceBinding() == old)
    }

    @Test(
        "Revoked keys, and keys that another device has, are replaced, with the same code",
        arguments: [ProblemCode.deviceRevoked, .deviceReplaced, .deviceKeyTaken])
    func revoked(code: ProblemCode) async throws {
        let phone = try await TestPhone.bound()
        let old = try #require(try await phone.open.deviceBinding())
        await phone.relyingParty.script(.finishBinding, .refuse(code))
        let new = try await Self.bindAgain(phone, await phone.relyingParty.issueCode())
        #expect(new.keys != old.keys)
        #expect(try await phone.keyTags() == [new.keys.deviceKey, new.keys.possessionKey])
        #expect(try await phone.open.text(named: "wallet") == "seed")
        _ = try await phone.login.logIn(phone.open)
    }

    @Test("Lost keys are replaced, and a store that fails once loses none")
    func lostKeys() async throws {
        let phone = try await TestPhone.bound()
        let old = try #require(try await phone.open.deviceBinding())
        try await phone.keys.remove(old.keys.deviceKey)
        let new = try await Self.bindAgain(phone, await phone.relyingParty.issueCode())
        #expect(new.keys != old.keys)
        #expect(try await phone.keyCount() == 2)
        _ = try await phone.login.logIn(phone.open)
    }

    @Test("An unbound device is bound, and a device that is bound elsewhere stays so")
    func otherStates() async throws {
        let fresh = try await TestPhone()
        let binding = try await Self.bindAgain(fresh, await fresh.relyingParty.issueCode())
        #expect(try await fresh.open.deviceBinding() == binding)

        let other = ScriptedRelyingParty(issuer: Issuer(unchecked: "https://other.example"))
        await #expect(throws: BindingError.alreadyBound(binding)) {
            try await DeviceBinder(relyingParty: other, keys: fresh.keys)
                .bindAgain(fresh.open, code: await other.issueCode(), deviceName: DeviceName(unchecked: "Phone"))
        }
    }

    @Test("After a crash at any point the same code binds the device again, with its existing keys")
    func crashes() async throws {
        func restoredPhone() async throws -> (TestPhone, BindingKeyTags, EnrolmentCode) {
            let phone = try await TestPhone.bound()
            let old = try #require(try await phone.open.deviceBinding())
            await phone.relyingParty.forgetDevices()
            phone.store.repair()
            return (phone, old.keys, await phone.relyingParty.issueCode())
        }
        let (rehearsal, _, code) = try await restoredPhone()
        _ = try await Self.bindAgain(rehearsal, code)
        let points = try await CrashPoint.forEach(of: rehearsal.store.callCount) { point in
            let (phone, keys, code) = try await restoredPhone()
            phone.store.fail(at: point.call, point.fault)
            await #expect(throws: BindingError.self, "\(point)") { try await Self.bindAgain(phone, code) }
            phone.store.repair()

            let open = try await phone.vault.unlock(TestPin.right)
            let new = try await phone.binder.bindAgain(open, code: code, deviceName: DeviceName(unchecked: "Phone"))
            #expect(new.keys == keys, "\(point)")
            #expect(try await phone.keyTags() == [keys.deviceKey, keys.possessionKey], "\(point)")
            #expect(await phone.relyingParty.devices.keys.map(\.self) == [new.device], "\(point)")
            #expect(try await open.text(named: "wallet") == "seed", "\(point)")
            _ = try await phone.login.logIn(open)
        }
        print("crash matrix: binding again: \(points) points")
        #expect(points >= 9)
    }
}
