import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

/// A phone with biometrics and without biometric login. All its stores fail together.
struct BiometricLoginPhone: Sendable {
    let biometrics: ScriptedBiometrics
    let phone: TestPhone
    let store: FaultyStore

    init() async throws {
        biometrics = ScriptedBiometrics()
        phone = try await TestPhone(biometrics: biometrics)
        store = FaultyStore(MemoryStore(), failingWith: phone.store)
    }

    /// A phone where Alice has biometric login.
    static func enabled() async throws -> Self {
        let new = try await Self()
        try await new.enable(await new.relyingParty.issueCode())
        new.phone.store.repair()
        return new
    }

    var relyingParty: ScriptedRelyingParty { phone.relyingParty }
    var login: BiometricLogin { BiometricLogin(store: store, relyingParty: relyingParty, keys: phone.keys) }

    /// A second account of the same device, with its own vault.
    func otherAccount() async throws -> (vault: Vault, open: OpenVault) {
        let vault = Vault.forTests(MemoryStore(), biometrics: ScriptedBiometrics())
        return (vault, try await vault.create(TestPin.new))
    }

    @discardableResult
    func enable(_ code: EnrolmentCode, in open: OpenVault? = nil) async throws -> UserID {
        try await login.enable(open ?? phone.open, code: code, deviceName: DeviceName(unchecked: "Phone"))
    }

    @discardableResult
    func attempt(_ vault: Vault? = nil) async throws -> Session {
        try await login.attempt(vault ?? phone.vault, reason: "Log in")
    }
}
