import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

/// The device crashes at any call of the vault's store or a key's, and the relying party keeps its state.
@Suite("Crash matrix of binding and login")
struct BindingCrashTests {
    @Test("After a crash at any point the same code binds the device once, with exactly two keys")
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
        #expect(points >= 18)
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
        #expect(points >= 26)
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

    @Test(
        "After a crash while a revocation is handled, the next login or binding completes it",
        arguments: [true, false])
    func revocation(logsIn: Bool) async throws {
        func prepared() async throws -> TestPhone {
            let phone = try await TestPhone.bound()
            await phone.relyingParty.revokeAll()
            return phone
        }
        let rehearsal = try await prepared()
        await #expect(throws: LoginError.revoked) { try await rehearsal.login.logIn(rehearsal.open) }
        let callCount = rehearsal.store.callCount
        let points = try await CrashPoint.forEach(of: callCount) { point in
            let phone = try await prepared()
            phone.store.fail(at: point.call, point.fault)
            await #expect(throws: LoginError.self, "\(point)") { try await phone.login.logIn(phone.open) }
            phone.store.repair()
            let open = try await phone.vault.unlock(TestPin.right)
            if logsIn {
                // After the last write, nothing is left to complete.
                let isOver = point.call == callCount - 1 && point.fault == .after
                await #expect(throws: isOver ? LoginError.notBound : .revoked, "\(point)") {
                    try await phone.login.logIn(open)
                }
                #expect(try await phone.keyCount() == 0, "\(point)")
                #expect(try await open.texts() == ["wallet": "seed"], "\(point)")
            }
            do {
                try await checkBindingAnew(phone, open, "\(point)")
            } catch BindingError.alreadyBound(let binding) {
                // Only a login learns that a complete binding was revoked.
                #expect(!logsIn, "\(point)")
                #expect(try await phone.keyTags() == [binding.keys.deviceKey, binding.keys.possessionKey], "\(point)")
            }
        }
        print("crash matrix: revocation, then \(logsIn ? "login" : "binding"): \(points) points")
        #expect(points >= 18)
    }

    @Test("After a crash while a binding is forgotten, it is complete, or the next call of any kind forgets the rest")
    func forgetting() async throws {
        enum NextCall: CaseIterable { case logIn, bind, forget }
        let rehearsal = try await TestPhone.bound()
        let known = try #require(try await rehearsal.open.deviceBinding())
        rehearsal.store.repair()
        try await rehearsal.binder.forget(known, in: rehearsal.open)
        for next in NextCall.allCases {
            _ = try await CrashPoint.forEach(of: rehearsal.store.callCount) { point in
                let phone = try await TestPhone.bound()
                let binding = try #require(try await phone.open.deviceBinding())
                phone.store.repair()
                phone.store.fail(at: point.call, point.fault)
                await #expect(throws: ForgetBindingError.self, "\(point)") {
                    try await phone.binder.forget(binding, in: phone.open)
                }
                phone.store.repair()
                let open = try await phone.vault.unlock(TestPin.right)
                let isWhole = try await open.deviceBinding() == binding
                #expect(isWhole == (point.call == 0 || point.call == 1 && point.fault != .after), "\(point)")
                switch next {
                case .logIn where isWhole: _ = try await phone.login.logIn(open)
                case .logIn:
                    await #expect(throws: LoginError.notBound, "\(point)") { try await phone.login.logIn(open) }
                case .forget: try await phone.binder.forget(binding, in: open)
                case .bind: break
                }
                if next != .bind, !isWhole || next == .forget {
                    #expect(try await phone.keyCount() == 0, "\(point)")
                    #expect(try await open.texts() == ["wallet": "seed"], "\(point)")
                }
                if isWhole, next != .forget {
                    #expect(try await phone.keyCount() == 2, "\(point)")
                } else {
                    try await checkBindingAnew(phone, open, "\(point)")
                }
            }
        }
    }

    @Test("After a crash while pending keys are deleted, a new code binds the device", arguments: [true, false])
    func abandoning(isRevoked: Bool) async throws {
        /// A call that deletes the keys of the previous call, because they were revoked or the code is another.
        func giveUp(_ phone: TestPhone, _ code: EnrolmentCode) async throws {
            guard isRevoked else {
                try await phone.bind(await phone.relyingParty.issueCode())
                return
            }
            await phone.relyingParty.revokeAll()
            await #expect(throws: BindingError.self) { try await phone.bind(code) }
        }
        let (rehearsal, code) = try await TestPhone.pending()
        try await giveUp(rehearsal, code)
        let points = try await CrashPoint.forEach(of: rehearsal.store.callCount) { point in
            let (phone, code) = try await TestPhone.pending()
            phone.store.fail(at: point.call, point.fault)
            do {
                try await giveUp(phone, code)
                #expect(isRevoked, "\(point)")
            } catch {
                #expect(error is BindingError, "\(point)")
            }
            phone.store.repair()
            let open = try await phone.vault.unlock(TestPin.right)
            do {
                try await checkBindingAnew(phone, open, "\(point)")
            } catch BindingError.alreadyBound(let binding) {
                #expect(!isRevoked, "\(point)")
                #expect(try await phone.keyTags() == [binding.keys.deviceKey, binding.keys.possessionKey], "\(point)")
                #expect(try await phone.login.logIn(open).device == binding.device, "\(point)")
            }
        }
        print("crash matrix: \(isRevoked ? "revoked while pending" : "another code"): \(points) points")
        #expect(points >= 20)
    }

    @Test("After a crash at any point of a refresh, no replaced token is sent")
    func refresh() async throws {
        func prepared() async throws -> TestPhone {
            let phone = try await TestPhone.bound()
            _ = try await phone.login.logIn(phone.open)
            phone.store.repair()
            return phone
        }
        let rehearsal = try await prepared()
        _ = try await rehearsal.login.resume(rehearsal.open)
        _ = try await CrashPoint.forEach(of: rehearsal.store.callCount) { point in
            let phone = try await prepared()
            phone.store.fail(at: point.call, point.fault)
            await #expect(throws: LoginError.self, "\(point)") { try await phone.login.resume(phone.open) }
            phone.store.repair()
            let open = try await phone.vault.unlock(TestPin.right)
            for _ in 0..<3 { _ = try await phone.login.resume(open) }
            #expect(await phone.relyingParty.reuseCount == 0, "\(point)")
        }
    }

    /// Binds with a new code. The device is then bound, with exactly two keys, and can log in.
    private func checkBindingAnew(_ phone: TestPhone, _ open: OpenVault, _ situation: Comment) async throws {
        let binding = try await phone.bind(await phone.relyingParty.issueCode(), in: open)
        #expect(try await phone.keyTags() == [binding.keys.deviceKey, binding.keys.possessionKey], situation)
        #expect(try await phone.login.logIn(open).device == binding.device, situation)
        #expect(try await open.text(named: "wallet") == "seed", situation)
    }
}
