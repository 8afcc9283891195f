import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import NightlatchWire
import Testing

/// The access control of an app's keys, as its stores and keyrings create them.
@Suite("Access control of keys in the Secure Enclave")
struct AccessControlTests {
    private let device = AppleDevice()
    private var model: EnclaveModel { device.model }

    private func box(for keyring: SecureEnclaveBiometricKeyring) async throws -> HPKEBox {
        try HPKEBox.test(to: try await keyring.create(.first))
    }

    private func open(_ box: HPKEBox, with keyring: SecureEnclaveBiometricKeyring) async throws(BiometricError) {
        try await keyring.openTestBox(box)
    }

    /// The access control of the only key.
    private func control() throws -> EnclaveAccessControl {
        #expect(model.get(\.keys).count == 1)
        return try #require(model.get(\.keys).values.first).control
    }

    @Test(
        "A biometric key requires the user presence of its protection, and stays on this device with a passcode",
        arguments: [
            (
                BiometricProtection.biometricsOnly, EnclaveAccessControl.Flag.biometryCurrentSet,
                "biometrics.vault.first"
            ),
            (.biometricsOrPasscode, .userPresence, "biometrics-or-passcode.vault.first"),
        ])
    func agreement(protection: BiometricProtection, presence: EnclaveAccessControl.Flag, account: String) async throws {
        _ = try await device.keyring(protection).create(.first)
        let accessible = KeychainValue.Constant.attrAccessibleWhenPasscodeSetThisDeviceOnly
        #expect(try control() == EnclaveAccessControl(accessible: accessible, flags: [.privateKeyUsage, presence]))
        let items = device.keychain.items
        #expect(items.map(\.account) == [account] && items.map(\.service) == ["app"])
        #expect(items.map(\.accessible) == [accessible])
    }

    @Test(
        "A signing key requires its application password, if it has one, and no user presence",
        arguments: [true, false])
    func signing(hasPassword: Bool) async throws {
        let tag = KeyTag.random()
        let access: KeyAccess = hasPassword ? .applicationPassword(.random(byteCount: 32)) : .unattended
        _ = try await device.keys.create(tag, access: access)
        let accessible = KeychainValue.Constant.attrAccessibleWhenUnlockedThisDeviceOnly
        let flags: Set<EnclaveAccessControl.Flag> =
            hasPassword ? [.privateKeyUsage, .applicationPassword] : [.privateKeyUsage]
        #expect(try control() == EnclaveAccessControl(accessible: accessible, flags: flags))
        #expect(device.keychain.items.map(\.account) == ["device-key.\(tag.rawValue)"])
        #expect(device.keychain.items.map(\.accessible) == [accessible])
    }

    @Test("The passcode never releases a key of biometrics alone, not even if the prompt accepts it")
    func noPasscode() async throws {
        let box = try await box(for: device.keyring)
        model.set { $0.acts = [.choosesFallback, .choosesFallback] }
        await #expect(throws: BiometricError.pinChosen) { try await open(box, with: device.keyring) }
        let real = model.biometry
        let laxer = BiometryCalls(state: real.state) {
            let prompt = real.makePrompt()
            return BiometryPrompt(
                configure: prompt.configure,
                evaluate: { _, reason, reply in prompt.evaluate(.deviceOwnerAuthentication, reason, reply) },
                sharedSecret: prompt.sharedSecret, invalidate: prompt.invalidate)
        }
        await #expect(throws: BiometricError.interrupted) {
            try await open(box, with: device.keyring(.biometricsOnly, biometry: laxer))
        }
        #expect(
            model.get(\.shown).map(\.policy) == [.deviceOwnerAuthenticationWithBiometrics, .deviceOwnerAuthentication])
    }

    private static let withoutBiometrics: [@Sendable (inout EnclaveModel.State) -> Void] = [
        { $0.sensor = .none }, { $0.isPermitted = false }, { $0.enrolment = nil }, { $0.mismatches = 5 },
    ]

    @Test(
        "With BIOMETRIC_ALLOW_FALLBACK the passcode replaces missing biometrics, and keys can be made with it",
        arguments: withoutBiometrics.indices)
    func passcode(index: Int) async throws {
        let keyring = device.keyring(.biometricsOrPasscode)
        let before = try await box(for: keyring)
        model.set(Self.withoutBiometrics[index])
        #expect(await keyring.availability() == .available)
        try await open(before, with: keyring)
        try await open(try await box(for: keyring), with: keyring)
        #expect(model.get(\.faults).isEmpty)
    }

    @Test("With BIOMETRIC_ALLOW_FALLBACK the prompt accepts the passcode, and the app sets the cancel title")
    func passcodePrompt() async throws {
        let keyring = device.keyring(.biometricsOrPasscode)
        let box = try await box(for: keyring)
        model.set { $0.acts = [.choosesFallback] }
        try await open(box, with: keyring)
        let shown = try #require(model.get(\.shown).first)
        #expect(shown.policy == .deviceOwnerAuthentication && shown.settings.localizedFallbackTitle == nil)
        #expect(shown.settings.localizedCancelTitle == "Not now" && model.get(\.faults).isEmpty)
    }

    @Test("With BIOMETRIC_ALLOW_FALLBACK a new enrolment keeps the key, and a chip error is no enrolment change")
    func enrolment() async throws {
        let keyring = device.keyring(.biometricsOrPasscode)
        let box = try await box(for: keyring)
        model.set { $0.enrolment = 2 }
        try await open(box, with: keyring)
        model.set { $0.failures = [AppleFailure(token: .authenticationFailed)] }
        await #expect(throws: BiometricError.failed(systemStatus: -5)) { try await open(box, with: keyring) }
        try await open(box, with: keyring)
    }

    @Test("With BIOMETRIC_ALLOW_FALLBACK and no passcode, biometrics are unavailable, and the keys are gone")
    func lostPasscode() async throws {
        let keyring = device.keyring(.biometricsOrPasscode)
        let box = try await box(for: keyring)
        model.set { $0.hasPasscode = false }
        #expect(await keyring.availability() == .noPasscode)
        await #expect(throws: BiometricError.unavailable(.noPasscode)) { try await open(box, with: keyring) }
        device.keychain.removePasscode()
        #expect(device.keychain.items.isEmpty)
    }

    @Test("A key that the passcode releases is never taken for one that biometrics alone release, or the reverse")
    func kinds() async throws {
        let pairs: [(BiometricProtection, BiometricProtection)] = [
            (.biometricsOnly, .biometricsOrPasscode), (.biometricsOrPasscode, .biometricsOnly),
        ]
        for (made, used) in pairs {
            let box = try await box(for: device.keyring(made))
            await #expect(throws: BiometricError.enrolmentChanged) { try await open(box, with: device.keyring(used)) }
            try await device.keyring(made).remove(.first)
        }
    }

    @Test("After the user was recognised, the context cannot prompt a second time")
    func secondPrompt() async throws {
        let box = try await box(for: device.keyring)
        let real = model.biometry
        let told = Shared([ContextSettings]())
        let watched = BiometryCalls(state: real.state) {
            let prompt = real.makePrompt()
            return BiometryPrompt(
                configure: { settings in
                    told.withLock { $0.append(settings) }
                    prompt.configure(settings)
                },
                evaluate: prompt.evaluate, sharedSecret: prompt.sharedSecret, invalidate: prompt.invalidate)
        }
        try await open(box, with: device.keyring(.biometricsOnly, biometry: watched))
        #expect(told.withLock { $0 }.map(\.interactionNotAllowed) == [false, true])
        #expect(told.withLock { $0 }.map(\.localizedReason) == ["Unlock", "Unlock"])
    }
}
