import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

/// The device dies at any call of the vault's store or a key's, while the relying party lives on.
@Suite("Crash matrix of binding and login")
struct BindingCrashTests {
    @Test("After a crash at any point the same code binds the device once, with two keys and no more")
    func bind() async throws {
        let rehearsal = try await TestPhone()
        try await rehearsal.bind(await rehearsal.relyingParty.issueCode())
        let points = try await CrashPoint.forEach(of: rehearsal.store.callCount) { point in
            let phone = try await TestPhone()
            let code = await phone.relyingParty.issueCode()
            phone.store.fail(at: point.call, point.fault)
            await #expect(throws: BindingError.self, "\(point)") { try await phone.bind(code) }
            phone.store.repair()

            let open = try await phone.vault.unlock(TestPin.right)
            let binding: DeviceBinding
            do {
                binding = try await phone.bind(code, in: open)
            } catch BindingError.alreadyBound(let known) {
                binding = known
            }
            #expect(await phone.relyingParty.devices.keys.map(\.self) == [binding.device], "\(point)")
            #expect(try await phone.keyCount() == 2, "\(point)")
            #expect(try await open.text(named: "wallet") == "seed", "\(point)")
            _ = try await phone.login.logIn(open)
        }
        print("crash matrix: binding: \(points) points")
        #expect(points >= 20)
    }

    @Test("After a crash at any point of a refused binding the device can be bound")
    func refusedBinding() async throws {
        func refuse(_ phone: TestPhone) async {
            await phone.relyingParty.script(.finishBinding, .refuse(.messageRefused))
            await #expect(throws: BindingError.self) { try await phone.bind(await phone.relyingParty.issueCode()) }
        }
        let rehearsal = try await TestPhone()
        await refuse(rehearsal)
        let points = try await CrashPoint.forEach(of: rehearsal.store.callCount) { point in
            let phone = try await TestPhone()
            phone.store.fail(at: point.call, point.fault)
            await refuse(phone)
            phone.store.repair()
            await phone.relyingParty.calm()
            let open = try await phone.vault.unlock(TestPin.right)
            try await phone.bind(await phone.relyingParty.issueCode(), in: open)
            #expect(try await phone.keyCount() == 2, "\(point)")
            _ = try await phone.login.logIn(open)
        }
        #expect(points >= 28)
        print("crash matrix: refused binding: \(points) points")
    }

    @Test("After a crash at any point of a login or a refresh the same call logs in", arguments: [true, false])
    func login(resumes: Bool) async throws {
        func run(_ phone: TestPhone, _ open: OpenVault) async throws {
            _ = resumes ? try await phone.login.resume(open) : try await phone.login.logIn(open)
        }
        func prepared() async throws -> TestPhone {
            let phone = try await TestPhone.bound()
            _ = try await phone.login.logIn(phone.open)
            phone.store.repair()
            return phone
        }
        let rehearsal = try await prepared()
        try await run(rehearsal, rehearsal.open)
        let points = try await CrashPoint.forEach(of: rehearsal.store.callCount) { point in
            let phone = try await prepared()
            phone.store.fail(at: point.call, point.fault)
            await #expect(throws: LoginError.self, "\(point)") { try await run(phone, phone.open) }
            phone.store.repair()
            let open = try await phone.vault.unlock(TestPin.right)
            try await run(phone, open)
            #expect(try await phone.keyCount() == 2, "\(point)")
            #expect(try await open.text(named: "wallet") == "seed", "\(point)")
        }
        print("crash matrix: \(resumes ? "refresh" : "login"): \(points) points")
        #expect(points >= 10)
    }

    @Test("After a crash at any point of being told of a revocation, the binding can be forgotten and made anew")
    func revocation() async throws {
        func prepared() async throws -> TestPhone {
            let phone = try await TestPhone.bound()
            await phone.relyingParty.revokeAll()
            return phone
        }
        let rehearsal = try await prepared()
        await #expect(throws: LoginError.revoked) { try await rehearsal.login.logIn(rehearsal.open) }
        let points = try await CrashPoint.forEach(of: rehearsal.store.callCount) { point in
            let phone = try await prepared()
            phone.store.fail(at: point.call, point.fault)
            await #expect(throws: LoginError.self, "\(point)") { try await phone.login.logIn(phone.open) }
            phone.store.repair()
            let open = try await phone.vault.unlock(TestPin.right)
            do {
                _ = try await phone.login.logIn(open)
                Issue.record("\(point): a revoked device logged in")
            } catch {
                // A key may be gone already; then the app forgets what is left, as the error says.
                let allowed: [LoginError] = [.revoked, .notBound, .key(DeviceKeyError(.corrupt))]
                #expect((error as? LoginError).map(allowed.contains) == true, "\(point): \(error)")
            }
            if let binding = try await open.deviceBinding() {
                try await phone.binder.forget(binding, in: open)
            }
            #expect(try await phone.keyCount() == 0, "\(point)")
            #expect(try await open.texts() == ["wallet": "seed"], "\(point)")
            try await phone.bind(await phone.relyingParty.issueCode(), in: open)
        }
        print("crash matrix: revocation: \(points) points")
    }
}
