import DeviceChecks
import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import Testing

@Suite("Device checks of the Secure Enclave")
struct ChipCheckTests {
    private var device = CheckedDevice()
    private var model: EnclaveModel { device.device.model }

    @Test("A chip that does what is assumed holds, and nothing is left behind")
    func held() async {
        let runner = device.runner
        for assumption in [Assumption.silentPassword, .wrongPassword, .hpkeKeyType] {
            #expect(await runner.perform(.run, on: assumption).verdict(assumption) == .held)
        }
        #expect(await runner.start().facts(.wrongPassword)["system"] == "com.apple.LocalAuthentication -1")
        #expect(device.device.keychain.items.map(\.account) == ["journal"])
        #expect(model.get(\.shown).isEmpty)
        #expect(model.get(\.openContexts).isEmpty)
    }

    @Test("Without a Secure Enclave, only the type of HPKE's key can be shown")
    func noEnclave() async {
        model.set { $0.hasEnclave = false }
        let overview = await device.runner.runAll()
        #expect(overview.verdict(.silentPassword) == .notPossible)
        #expect(overview.verdict(.wrongPassword) == .notPossible)
        #expect(overview.verdict(.hpkeKeyType) == .held)
    }

    @Test("A chip that makes or uses no key with a password does not hold, with the code")
    func refusedPassword() async {
        let runner = device.runner
        model.set { $0.failures = [AppleFailure(localAuthentication: .notInteractive)] }
        let overview = await runner.perform(.run, on: .silentPassword)
        #expect(overview.verdict(.silentPassword) == .didNotHold)
        #expect(overview.facts(.silentPassword)["error"]?.contains("-1004") == true)
        #expect(device.device.keychain.items.map(\.account) == ["journal"])
    }

    @Test("A locked device says nothing about the chip")
    func locked() async {
        model.set { $0.failures = [AppleFailure(status: .interactionNotAllowed)] }
        let row = await device.runner.perform(.run, on: .silentPassword).row(.silentPassword)
        #expect(row?.state == .notRun)
        #expect(row?.problem != nil)
    }

    @Test("A wrong password that opens the chip's key, or is refused with another code, does not hold")
    func wrongPassword() async {
        model.set { $0.ignoresPasswords = true }
        device.state.withLock { $0.wrongPasswordFailure = nil }
        let overview = await device.runner.perform(.run, on: .wrongPassword)
        #expect(overview.verdict(.wrongPassword) == .didNotHold)
        #expect(overview.facts(.wrongPassword)["system"] == "the key was used")

        var other = CheckedDevice()
        other.pinSlot = UnavailablePinSlot()
        let facts = await other.runner.perform(.run, on: .wrongPassword).facts(.wrongPassword)
        #expect(facts["pin_slot"]?.contains("-25315") == true)
    }

    @Test("A box in the chip that its right PIN does not open does not hold")
    func rightPin() async {
        var device = device
        device.pinSlot = UnavailablePinSlot()
        #expect(await device.runner.perform(.run, on: .hpkeKeyType).verdict(.hpkeKeyType) == .didNotHold)
    }
}

/// A slot that seals, and that no PIN opens.
private struct UnavailablePinSlot: CheckedPinSlot {
    func seal(
        _ secret: borrowing SecretBytes,
        under stretchedPin: borrowing SecretBytes
    ) async throws(SecureEnclavePinSlotError) {}

    func open(with stretchedPin: borrowing SecretBytes) async throws(SecureEnclavePinSlotError) -> SecretBytes {
        throw .key(DeviceKeyError(.unavailable, systemStatus: -25315))
    }

    func remove() async throws(SecureEnclavePinSlotError) {}
}
