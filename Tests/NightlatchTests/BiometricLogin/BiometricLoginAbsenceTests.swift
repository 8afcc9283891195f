import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

/// A device whose stores once fail to find an existing record, at each call of each operation.
@Suite("Biometric login with a record that is once not found")
struct BiometricLoginAbsenceTests {
    private let alice = UserID(unchecked: "alice")

    @Test("Enabling loses nothing, and the same call completes it")
    func enable() async throws {
        let rehearsal = try await BiometricLoginPhone()
        rehearsal.phone.store.repair()
        try await rehearsal.enable(await rehearsal.relyingParty.issueCode())
        for call in 0..<rehearsal.phone.store.callCount {
            let phone = try await BiometricLoginPhone()
            let code = await phone.relyingParty.issueCode()
            phone.phone.store.missRecord(at: call)
            do { try await phone.enable(code) } catch {}
            phone.phone.store.repair()
            let open = try await phone.phone.vault.unlock(TestPin.right)
            #expect(try await open.text(named: "wallet") == "seed", "call \(call)")
            #expect(try await phone.enable(code, in: open) == alice, "call \(call)")
            #expect(try await phone.phone.keyCount() == 2, "call \(call)")
            #expect(await phone.relyingParty.devices.count == 1, "call \(call)")
            _ = try await phone.attempt()
        }
    }

    @Test("A login loses no keys and stays enabled")
    func attempt() async throws {
        let rehearsal = try await BiometricLoginPhone.enabled()
        _ = try await rehearsal.attempt()
        for call in 0..<rehearsal.phone.store.callCount {
            let phone = try await BiometricLoginPhone.enabled()
            phone.phone.store.missRecord(at: call)
            do { _ = try await phone.attempt() } catch {}
            phone.phone.store.repair()
            #expect(try await phone.login.user() == alice, "call \(call)")
            #expect(try await phone.phone.keyCount() == 2, "call \(call)")
            _ = try await phone.attempt()
        }
    }

    @Test("Disabling removes no key that the relying party still has, and succeeds only when it is complete")
    func disable() async throws {
        for isAnswered in [true, false] {
            let rehearsal = try await phone(isAnswered: isAnswered)
            try await rehearsal.login.disable(rehearsal.phone.open)
            for call in 0..<rehearsal.phone.store.callCount {
                let phone = try await phone(isAnswered: isAnswered)
                phone.phone.store.missRecord(at: call)
                var isDone = true
                do { try await phone.login.disable(phone.phone.open) } catch { isDone = false }
                phone.phone.store.repair()
                let keyCount = try await phone.phone.keyCount()
                let isRevoked = await phone.relyingParty.devices.values.allSatisfy { $0.isRevoked }
                #expect(isRevoked || keyCount == 2, "call \(call), answered \(isAnswered)")
                #expect(!isDone || isRevoked && keyCount == 0, "call \(call), answered \(isAnswered)")
                try await phone.login.disable(try await phone.phone.vault.unlock(TestPin.right))
                #expect(try await phone.phone.keyCount() == 0, "call \(call), answered \(isAnswered)")
                #expect(await phone.relyingParty.devices.values.allSatisfy { $0.isRevoked })
            }
        }
    }

    /// A phone where Alice has biometric login, or where its binding is pending.
    private func phone(isAnswered: Bool) async throws -> BiometricLoginPhone {
        if isAnswered { return try await .enabled() }
        let phone = try await BiometricLoginPhone()
        await phone.relyingParty.script(.finishBinding, .loseAnswer)
        await #expect(throws: BiometricLoginError.self) { try await phone.enable(await phone.relyingParty.issueCode()) }
        phone.phone.store.repair()
        return phone
    }
}
