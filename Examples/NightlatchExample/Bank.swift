import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchUI
import NightlatchWire
import Observation

/// Who is registered on this device, and where it keeps what the app must neither lose nor tell.
@MainActor @Observable
final class Bank {
    private(set) var profile: Profile?
    /// The last thing that did not work.
    var problem: String?
    /// Whether a new enrolment code is the way on.
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
                lockoutPolicy: .payment, pinPolicy: profile.pinPolicy,
                biometrics: SecureEnclaveBiometricKeyring(
                    vault: name, service: Self.service, titles: BiometricPromptTitles(pin: "Enter PIN")))
        }
    }

    /// Does what may not work. One switch handles every error; the text says what happened and what to do.
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
            // The text has its code. An app of more than an example also reports it.
            case .defect: break
            }
        }
    }

    /// Items of the Keychain outlive the app: who installs it anew begins anew. Then what an earlier start left undone is finished.
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
        else { return problem = "Type a name, and the code as it was given to you." }
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

    /// The way back where no PIN opens any more: all that is here goes, and a new enrolment code begins anew.
    func startAgain() async {
        await attempt {
            if let profile { try await profiles.deregister(profile.id) }
            profile = nil
        }
    }
}

extension Issuer {
    /// Where `nightlatch serve` listens on this machine.
    static var example: Issuer { Issuer(rawValue: "http://127.0.0.1:8080") ?? { preconditionFailure("no issuer") }() }
}
