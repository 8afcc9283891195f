import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import NightlatchWire
import Testing

/// What an app's keys ask for, as its stores and keyrings make them.
@Suite("What keys of the Secure Enclave ask for")
struct AccessControlTests {
    private let device = AppleDevice()
    private var model: EnclaveModel { device.model }

    private func box(for keyring: SecureEnclaveBiometricKeyring) async throws -> HPKEBox {
        try HPKEBox.test(to: try await keyring.create(.first))
    }

    private func open(_ box: HPKEBox, with keyring: SecureEnclaveBiometricKeyring) async throws(BiometricError) {
        try await keyring.openTestBox(box)
    }

    /// The one key that there is.
    private func control() throws -> EnclaveAccessControl {
        #expect(model.get(\.keys).count == 1)
        return try #require(model.get(\.keys).values.first).control
    }

    @Test(
        "A key that biometrics release asks for what its protection says, and lies on this device with a passcode",
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
        "A key that signs asks for its application password, if it has one, and for nobody",
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

    @Test("No passcode releases a key of biometrics alone, not even where it was asked for")
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
        "BIOMETRIC_ALLOW_FALLBACK: the passcode serves where no face or finger can, and keys can be made there",
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

    @Test(
        "BIOMETRIC_ALLOW_FALLBACK: the prompt takes the passcode, whose button the system names, and the cancel button is the app's"
    )
    func passcodePrompt() async throws {
        let keyring = device.keyring(.biometricsOrPasscode)
        let box = try await box(for: keyring)
        model.set { $0.acts = [.choosesFallback] }
        try await open(box, with: keyring)
        let shown = try #require(model.get(\.shown).first)
        #expect(shown.policy == .deviceOwnerAuthentication && shown.settings.localizedFallbackTitle == nil)
        #expect(shown.settings.localizedCancelTitle == "Not now" && model.get(\.faults).isEmpty)
    }

    @Test(
        "BIOMETRIC_ALLOW_FALLBACK: a new face leaves the key; a failure of the chip is never told as a changed enrolment"
    )
    func enrolment() async throws {
        let keyring = device.keyring(.biometricsOrPasscode)
        let box = try await box(for: keyring)
        model.set { $0.enrolment = 2 }
        try await open(box, with: keyring)
        model.set { $0.failures = [AppleFailure(token: .authenticationFailed)] }
        await #expect(throws: BiometricError.failed(systemStatus: -5)) { try await open(box, with: keyring) }
        try await open(box, with: keyring)
    }

    @Test("BIOMETRIC_ALLOW_FALLBACK: without a passcode there is nothing to ask for, and the keys go with it")
    func lostPasscode() async throws {
        let keyring = device.keyring(.biometricsOrPasscode)
        let box = try await box(for: keyring)
        model.set { $0.hasPasscode = false }
        #expect(await keyring.availability() == .noPasscode)
        await #expect(throws: BiometricError.unavailable(.noPasscode)) { try await open(box, with: keyring) }
        device.keychain.removePasscode()
        #expect(device.keychain.items.isEmpty)
    }

    @Test(
        "A key that the passcode releases is never taken for one that biometrics alone release, nor the other way round"
    )
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

    @Test("After the person was recognised, the context may ask nobody a second time")
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
