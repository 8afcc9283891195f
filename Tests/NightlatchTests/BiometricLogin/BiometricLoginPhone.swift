import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

/// A phone with biometrics, on which nobody has biometric login yet. All its stores fail together.
struct BiometricLoginPhone: Sendable {
    let biometrics: ScriptedBiometrics
    let phone: TestPhone
    let store: FaultyStore

    init() async throws {
        biometrics = ScriptedBiometrics()
        phone = try await TestPhone(biometrics: biometrics)
        store = FaultyStore(MemoryStore(), failingWith: phone.store)
    }

    /// A phone on which Alice has it.
    static func enabled() async throws -> Self {
        let new = try await Self()
        try await new.enable(await new.relyingParty.issueCode())
        new.phone.store.repair()
        return new
    }

    var relyingParty: ScriptedRelyingParty { phone.relyingParty }
    var login: BiometricLogin { BiometricLogin(store: store, relyingParty: relyingParty, keys: phone.keys) }

    /// A second account of the same device, with a vault of its own.
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
