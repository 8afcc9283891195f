import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Crash matrix of biometric login")
struct BiometricLoginCrashTests {
    @Test("After a crash at any point of enabling, the same call with the same code enables it once")
    func enable() async throws {
        let rehearsal = try await BiometricLoginPhone()
        rehearsal.phone.store.repair()
        try await rehearsal.enable(await rehearsal.relyingParty.issueCode())
        let points = try await CrashPoint.forEach(of: rehearsal.phone.store.callCount) { point in
            let phone = try await BiometricLoginPhone()
            let code = await phone.relyingParty.issueCode()
            phone.phone.store.fail(at: point.call, point.fault)
            await #expect(throws: BiometricLoginError.self, "\(point)") { try await phone.enable(code) }
            phone.phone.store.repair()
            try await phone.enable(code, in: try await phone.phone.vault.unlock(TestPin.right))
            #expect(await phone.relyingParty.devices.count == 1, "\(point)")
            #expect(try await phone.phone.keyCount() == 2, "\(point)")
            #expect(try await phone.login.user() == UserID(unchecked: "alice"), "\(point)")
            _ = try await phone.attempt()
        }
        print("crash matrix: enabling biometric login: \(points) points")
        #expect(points >= 30)
    }

    /// A phone where Alice has biometric login, or where its binding stays pending.
    private func phone(isAnswered: Bool) async throws -> BiometricLoginPhone {
        if isAnswered { return try await .enabled() }
        let phone = try await BiometricLoginPhone()
        await phone.relyingParty.script(.finishBinding, .loseAnswer)
        await #expect(throws: BiometricLoginError.self) { try await phone.enable(await phone.relyingParty.issueCode()) }
        phone.phone.store.repair()
        return phone
    }

    @Test(
        "After a crash at any point of disabling, the same call completes it, here and at the relying party",
        arguments: [true, false])
    func disable(isAnswered: Bool) async throws {
        let rehearsal = try await phone(isAnswered: isAnswered)
        try await rehearsal.login.disable(rehearsal.phone.open)
        let points = try await CrashPoint.forEach(of: rehearsal.phone.store.callCount) { point in
            let phone = try await phone(isAnswered: isAnswered)
            phone.phone.store.fail(at: point.call, point.fault)
            await #expect(throws: BiometricLoginError.self, "\(point)") {
                try await phone.login.disable(phone.phone.open)
            }
            phone.phone.store.repair()
            // If the local keys were deleted before the relying party's, they could no longer revoke it.
            let keyCount = try await phone.phone.keyCount()
            let isRevoked = await phone.relyingParty.devices.values.allSatisfy { $0.isRevoked }
            #expect(isRevoked || keyCount == 2, "\(point)")
            try await phone.login.disable(try await phone.phone.vault.unlock(TestPin.right))
            #expect(await phone.relyingParty.devices.values.allSatisfy { $0.isRevoked }, "\(point)")
            #expect(try await phone.phone.keyCount() == 0, "\(point)")
            #expect(try await phone.store.read() == nil, "\(point)")
        }
        print("crash matrix: disabling biometric login: \(points) points")
        #expect(points >= 20)
    }

    @Test("After a crash while a revocation is handled, the next attempt stops offering biometric login")
    func revocation() async throws {
        let rehearsal = try await BiometricLoginPhone.enabled()
        await rehearsal.relyingParty.revokeAll()
        await #expect(throws: BiometricLoginError.login(.revoked)) { try await rehearsal.attempt() }
        let points = try await CrashPoint.forEach(of: rehearsal.phone.store.callCount) { point in
            let phone = try await BiometricLoginPhone.enabled()
            await phone.relyingParty.revokeAll()
            phone.phone.store.fail(at: point.call, point.fault)
            await #expect(throws: BiometricLoginError.self, "\(point)") { try await phone.attempt() }
            phone.phone.store.repair()
            await #expect(throws: BiometricLoginError.self, "\(point)") { try await phone.attempt() }
            #expect(try await phone.login.user() == nil, "\(point)")
            #expect(try await phone.phone.keyCount() == 0, "\(point)")
        }
        #expect(points >= 20)
    }
}
