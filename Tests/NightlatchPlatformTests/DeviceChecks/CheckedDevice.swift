import Crypto
import DeviceChecks
import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchTesting

/// A model of a device with the app DeviceChecks, whose adapters use the models of Apple's frameworks.
struct CheckedDevice: Sendable {
    struct State: Sendable {
        var filesOutliveApp = false
        var hasMarker = false
        var hasUnbackedMarker = false
        var markerFailure: StoreError?
        /// The chip's answer to a wrong password, below the public API.
        var wrongPasswordFailure: SystemFailure? = SystemFailure(domain: "com.apple.LocalAuthentication", code: -1)
        var date = Date(timeIntervalSince1970: 1_800_000_000)
    }

    let device = AppleDevice()
    let state = Shared(State())
    /// Replaces the store of an account, to model a Keychain that breaks a promise.
    var wrap: @Sendable (String, any SecureStore) -> any SecureStore = { _, store in store }
    /// Replaces the PIN slot.
    var pinSlot: (any CheckedPinSlot)?
    /// Replaces every keyring.
    var keyring: (any BiometricKeyring)?

    static let description = DeviceDescription(
        model: "iPhone15,2", system: "iOS", version: "Version 18.1 (Build 22B83)", isSimulator: false)

    /// A start of the app.
    var runner: CheckRunner { CheckRunner(system) }

    /// Removes the app, which deletes its files and not its items.
    func removeApp() {
        state.withLock { state in
            state.hasMarker = false
            state.hasUnbackedMarker = false
        }
    }

    /// Makes a backup. The returned closure restores it.
    func backUp() -> @Sendable () -> Void {
        let items = device.keychain.items.filter { $0.accessible == .attrAccessibleWhenUnlockedThisDeviceOnly }
        return { [self] in
            device.keychain.plant { $0 = items }
            state.withLock { $0.hasUnbackedMarker = false }
        }
    }

    private var system: DeviceSystem {
        DeviceSystem(
            device: Self.description,
            adapters: CheckedAdapters(
                store: { [wrap, keychain = device.keychain] account, accessibility in
                    wrap(
                        account,
                        KeychainStore(
                            service: "checks", account: account, accessibility: accessibility, calls: keychain.calls))
                },
                keys: device.keys,
                pinSlot: pinSlot ?? device.pinSlot,
                keyring: { [device, keyring] name, protection in
                    keyring
                        ?? SecureEnclaveBiometricKeyring(
                            vault: name, service: "checks", protection: protection, titles: AppleDevice.titles,
                            calls: .init(
                                keychain: device.keychain.calls, enclave: device.model.enclave,
                                biometry: device.model.biometry))
                }),
            chip: chip,
            installation: InstallationProbe(
                filesOutliveApp: state.withLock { $0.filesOutliveApp },
                isFirstStart: { [state] in state.withLock { !$0.hasMarker } },
                endFirstStart: { [state] in
                    state.withLock { state in
                        if let failure = state.markerFailure { return .failure(failure) }
                        state.hasMarker = true
                        return .success(())
                    }
                },
                hasUnbackedMarker: { [state] in state.withLock { $0.hasUnbackedMarker } },
                writeUnbackedMarker: { [state] in
                    state.withLock { $0.hasUnbackedMarker = true }
                    return .success(())
                }),
            now: { [state] in state.withLock { $0.date } },
            pause: { await Task.yield() })
    }

    private var chip: ChipProbe {
        let model = device.model
        return ChipProbe(
            useWithWrongPassword: { [state] in state.withLock { $0.wrongPasswordFailure } },
            makeBiometricKey: {
                do throws(AppleFailure) {
                    let control = EnclaveAccessControl.agreement(releasedBy: .biometricsOnly)
                    return .success(try model.enclave.makeAgreementKey(control, nil, .unattended).representation)
                } catch {
                    return .failure(SystemFailure(error))
                }
            },
            useBiometricKey: { representation, reason in
                let prompt = model.biometry.makePrompt()
                defer { prompt.invalidate() }
                var settings = ContextSettings(
                    reason: reason, titles: AppleDevice.titles, policy: .deviceOwnerAuthenticationWithBiometrics)
                prompt.configure(settings)
                let failure = await withCheckedContinuation { continuation in
                    prompt.evaluate(.deviceOwnerAuthenticationWithBiometrics, reason) {
                        continuation.resume(returning: $0)
                    }
                }
                if let failure { return .notRecognised(SystemFailure(failure)) }
                settings.interactionNotAllowed = true
                prompt.configure(settings)
                do throws(AppleFailure) {
                    _ = try prompt.sharedSecret(representation, P256.KeyAgreement.PrivateKey().publicKey)
                    return .used
                } catch {
                    return .refused(SystemFailure(error))
                }
            },
            enrolment: { model.biometry.state(.deviceOwnerAuthenticationWithBiometrics).enrolment })
    }
}

extension SystemFailure {
    fileprivate init(_ failure: AppleFailure) {
        self.init(domain: failure.domain, code: failure.code)
    }
}

extension Overview {
    /// The row of an assumption.
    func row(_ assumption: Assumption) -> CheckRow? { rows.first { $0.assumption == assumption } }

    /// The verdict of a check, if it has one.
    func verdict(_ assumption: Assumption) -> Verdict? {
        guard case .done(let verdict, _, _) = row(assumption)?.state else { return nil }
        return verdict
    }

    /// The facts of a check's verdict.
    func facts(_ assumption: Assumption) -> Facts {
        guard case .done(_, let facts, _) = row(assumption)?.state else { return [:] }
        return facts
    }
}
