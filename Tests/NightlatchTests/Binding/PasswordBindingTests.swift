import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Binding by password")
struct PasswordBindingTests {
    private let right = Credentials(user: UserID(unchecked: "alice"), password: Password(unchecked: "correct horse"))

    private func phone() async throws -> TestPhone {
        let phone = try await TestPhone()
        await phone.relyingParty.setPassword(right.password)
        return phone
    }

    @Test("User name and password bind the device, which then logs in")
    func bind() async throws {
        let phone = try await phone()
        let binding = try await phone.binder.bind(
            phone.open, credentials: right, deviceName: DeviceName(unchecked: "Phone"))
        #expect(binding.user == right.user)
        #expect(try await phone.login.logIn(phone.open).device == binding.device)
    }

    @Test("With a wrong password nothing is made and nothing is written")
    func wrong() async throws {
        let phone = try await phone()
        let before = try await phone.store.read()
        let refusal = ScriptedRelyingParty.refusal(.credentialsRefused)
        for wrong in [
            Credentials(user: right.user, password: Password(unchecked: "wrong")),
            Credentials(user: UserID(unchecked: "bob"), password: right.password),
        ] {
            await #expect(throws: BindingError.relyingParty(refusal)) {
                try await phone.binder.bind(phone.open, credentials: wrong, deviceName: DeviceName(unchecked: "Phone"))
            }
        }
        #expect(try await phone.keyCount() == 0)
        #expect(try await phone.store.read() == before)
    }

    @Test("A password proves full credentials only for the user of the device's binding")
    func fullCredentials() async throws {
        let phone = try await phone()
        let bob = Password(unchecked: "bob’s own")
        await phone.relyingParty.setPassword(bob, of: UserID(unchecked: "bob"))
        await #expect(throws: FullCredentialsError.notBound) {
            try await FullCredentials.checked(right.password, by: phone.relyingParty, for: phone.open)
        }
        let binding = try await phone.binder.bind(
            phone.open, credentials: right, deviceName: DeviceName(unchecked: "Phone"))
        _ = try await FullCredentials.checked(right.password, by: phone.relyingParty, for: phone.open)
        await #expect(throws: FullCredentialsError.relyingParty(ScriptedRelyingParty.refusal(.credentialsRefused))) {
            try await FullCredentials.checked(bob, by: phone.relyingParty, for: phone.open)
        }
        let other = ScriptedRelyingParty(issuer: Issuer(unchecked: "https://rp.example.net"))
        await other.setPassword(right.password)
        await #expect(throws: FullCredentialsError.boundElsewhere(binding)) {
            try await FullCredentials.checked(right.password, by: other, for: phone.open)
        }
        #expect(await other.verbs.isEmpty)
        await phone.relyingParty.script(.enrolByPassword, .loseAnswer)
        await #expect(throws: FullCredentialsError.relyingParty(.unreachable(reason: "lost"))) {
            try await FullCredentials.checked(right.password, by: phone.relyingParty, for: phone.open)
        }
    }

    @Test("An unused code proves full credentials only for the user of the device's binding")
    func fullCredentialsByCode() async throws {
        let phone = try await TestPhone()
        let used = await phone.relyingParty.issueCode()
        await #expect(throws: FullCredentialsError.notBound) {
            try await FullCredentials.checked(used, by: phone.relyingParty, for: phone.open)
        }
        try await phone.bind(used)
        let refusal = ScriptedRelyingParty.refusal(.enrolmentCodeRefused)
        for bad in [used, EnrolmentCode.random()] {
            await #expect(throws: FullCredentialsError.relyingParty(refusal)) {
                try await FullCredentials.checked(bad, by: phone.relyingParty, for: phone.open)
            }
        }
        let ofBob = await phone.relyingParty.issueCode(for: UserID(unchecked: "bob"))
        await #expect(throws: FullCredentialsError.otherUser) {
            try await FullCredentials.checked(ofBob, by: phone.relyingParty, for: phone.open)
        }
        let devices = await phone.relyingParty.devices.count
        let code = await phone.relyingParty.issueCode()
        _ = try await FullCredentials.checked(code, by: phone.relyingParty, for: phone.open)
        #expect(await phone.relyingParty.devices.count == devices)
    }
}
