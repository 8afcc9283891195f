import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchUI
import NightlatchWire
import Observation

/// The profile that is registered on this device, and the stores of its vault and keys.
@MainActor @Observable
final class Bank {
    private(set) var profile: Profile?
    /// The text of the last error.
    var problem: String?
    /// Whether the person can continue with a new enrolment code.
    private(set) var offersNewCode = false
    let keys: any DeviceKeys = SecureEnclaveKeys(service: Bank.service)
    let profiles: Profiles
    let server = HTTPRelyingParty(issuer: .example)
    private nonisolated static let service = "com.example.nightlatch"

    init() {
        let registry = KeychainStore(service: Self.service, account: "profiles")
        profiles = Profiles(registry: registry, deviceKeys: keys, remembersPinLengths: true) { profile in
            let name = "vault.\(profile.id.rawValue)"
            return Vault(
                store: KeychainStore(service: Self.service, account: name), clock: SystemLockoutClock(),
                biometrics: SecureEnclaveBiometricKeyring(
                    vault: name, service: Self.service, titles: BiometricPromptTitles(pin: "Enter PIN")),
                configuration: VaultConfiguration(lockoutPolicy: .payment, pinPolicy: profile.pinPolicy))
        }
    }

    /// Runs `work` and handles its errors. One switch handles every error. The text says what happened and what to do.
    func attempt(on pad: PinPadModel? = nil, _ work: () async throws -> Void) async {
        do {
            (problem, offersNewCode) = (nil, false)
            try await work()
        } catch {
            pad?.withdraw()
            problem = error.localizedDescription
            switch Advice(for: error) {
            case .tryAgain, .tryLater, .checkNetwork, .freeSpace, .updateApp, .restoreAccess, .askForPin, .nothing:
                break
            case .signIn, .askForPhrase, .bindAgain: offersNewCode = true
            // The text contains the defect's code. A real app also reports it.
            case .defect: break
            }
        }
    }

    /// Erases Keychain items of an earlier installation, because they outlive the app. Then finishes interrupted work.
    func start() async {
        await attempt {
            let folder = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)[0]
            let marker = folder.appending(path: "nightlatch-installation").path
            _ = try await KeychainLeftovers(markerPath: marker, service: Self.service).settle(.erase)
            _ = try await profiles.resume()
            profile = try await profiles.all().first
        }
    }

    func register(_ name: String, code: String, on pad: PinPadModel) async {
        guard let name = ProfileName(rawValue: name), let code = EnrolmentCode(code),
            let device = DeviceName(rawValue: "Example app")
        else { return problem = "Enter your name and the enrolment code that you received." }
        await attempt(on: pad) {
            let outcome = try await profiles.register(name, prompt: pad) { [profiles, server] profile, vault in
                guard let keys = profiles.deviceKeys(of: profile.id) else { throw CocoaError(.featureUnsupported) }
                _ = try await DeviceBinder(relyingParty: server, keys: keys).bind(vault, code: code, deviceName: device)
            }
            pad.withdraw()
            guard case .registered(let profile, let vault) = outcome else { return }
            await vault.lock()
            self.profile = profile
        }
    }

    /// Removes the profile from this device after its PIN was blocked. The person then registers with a new code.
    func startAgain() async {
        await attempt {
            if let profile { try await profiles.deregister(profile.id) }
            profile = nil
        }
    }
}

extension Issuer {
    /// The address of `nightlatch serve` on this machine.
    static var example: Issuer { Issuer(rawValue: "http://127.0.0.1:8080") ?? { preconditionFailure("no issuer") }() }
}
