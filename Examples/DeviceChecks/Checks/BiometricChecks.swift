import Foundation
import Nightlatch
import NightlatchWire

// On Apple systems swift-crypto is CryptoKit.
#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// The checks of the keys that a user releases, through `SecureEnclaveBiometricKeyring`.
struct BiometricChecks: Sendable {
    let system: DeviceSystem

    /// Opens a box with a key of each protection. Each opening asks the user once; the keyring allows no second prompt.
    func onePrompt() async -> CheckOutcome {
        let kinds: [(name: String, protection: BiometricProtection, reason: String)] = [
            ("biometrics_only", .biometricsOnly, "Open the box of the first key"),
            ("biometrics_or_passcode", .biometricsOrPasscode, "Open the box of the second key"),
        ]
        var facts: Facts = [:]
        for kind in kinds {
            let keyring = system.adapters.keyring("one-prompt", kind.protection)
            do throws(BiometricError) {
                let key = try await keyring.create(.first)
                guard let box = HPKEBox(sealing: CheckedBox.content, to: key) else { throw .corrupt }
                let opened = try await keyring.open(box, with: .first, info: CheckedBox.info, reason: kind.reason)
                try await keyring.remove(.first)
                guard opened.isEqual(to: SecretBytes(copying: CheckedBox.content)) else { throw .corrupt }
                facts[kind.name] = "opened"
            } catch {
                return outcome(of: error, for: kind.name, facts)
            }
        }
        return .waiting(.countPrompts, notes: facts)
    }

    /// The user has counted the prompts of ``onePrompt()``.
    func promptsWereTwo(_ isTwo: Bool, _ notes: Facts) -> CheckOutcome {
        .done(isTwo ? .held : .didNotHold, notes.merging(["prompts": isTwo ? "2" : "another number"]) { $1 })
    }

    /// Makes a key of the keyring and one below it, both for the present enrolment, and uses the first one once.
    func beforeEnrolment() async -> CheckOutcome {
        let keyring = enrolmentKeyring
        let box: HPKEBox
        do throws(BiometricError) {
            let key = try await keyring.create(.first)
            guard let sealed = HPKEBox(sealing: CheckedBox.content, to: key) else { throw .corrupt }
            box = sealed
            _ = try await keyring.open(box, with: .first, info: CheckedBox.info, reason: "Try the new key")
        } catch {
            return outcome(of: error, for: "new_key", [:])
        }
        guard let json = try? JSONEncoder().encode(box) else { return .undecided(problem: "The box has no form.") }
        var notes = [Note.box: Base64URL.encode(json)]
        switch await system.chip.makeBiometricKey() {
        case .success(let key): notes[Note.key] = Base64URL.encode(key)
        case .failure(let failure): return .undecided(problem: "The system made no key: \(failure)")
        }
        notes[Note.enrolment] = system.chip.enrolment().map { Base64URL.encode($0) }
        return .waiting(.changeEnrolment, notes: notes)
    }

    /// Uses both keys after the enrolment was changed.
    func afterEnrolment(_ notes: Facts) async -> CheckOutcome {
        guard let json = notes[Note.box].flatMap({ Base64URL.decode($0) }),
            let box = try? JSONDecoder().decode(HPKEBox.self, from: Data(json)),
            let key = notes[Note.key].flatMap({ Base64URL.decode($0) })
        else { return .undecided(problem: "The notes of this check are damaged. Run it again from the beginning.") }
        let now = system.chip.enrolment().map { Base64URL.encode($0) }
        let keyring: String
        do throws(BiometricError) {
            _ = try await enrolmentKeyring.open(
                box, with: .first, info: CheckedBox.info, reason: "Try the key after the change")
            keyring = "opened"
        } catch {
            guard error == .enrolmentChanged || !error.isUserOrMoment else {
                return .undecided(problem: "\(error)")
            }
            keyring = error == .enrolmentChanged ? Note.changed : "\(error)"
        }
        let code: String
        switch await system.chip.useBiometricKey(key, "Read the system's code") {
        case .used: code = "the key was used"
        case .notRecognised(let failure): return .undecided(problem: "The system did not recognise you: \(failure)")
        case .refused(let failure): code = failure.description
        }
        let isOther = notes[Note.enrolment] != nil && now != nil && notes[Note.enrolment] != now
        let facts = [
            "keyring": keyring, "system": code, "hash_before": notes[Note.enrolment] == nil ? "none" : "given",
            "hash_after": now == nil ? "none" : isOther ? "different" : "the same",
        ]
        do throws(BiometricError) {
            try await enrolmentKeyring.remove(.first)
        } catch {
            return .undecided(problem: "\(error)")
        }
        return .done(keyring == Note.changed && isOther ? .held : .didNotHold, facts)
    }
}

extension BiometricChecks {
    private enum Note {
        static let box = "box"
        static let key = "key"
        static let enrolment = "enrolment"
        static let changed = "enrolmentChanged"
    }

    private var enrolmentKeyring: any BiometricKeyring {
        system.adapters.keyring("enrolment", .biometricsOnly)
    }

    private func outcome(of error: BiometricError, for key: String, _ facts: Facts) -> CheckOutcome {
        switch error {
        case .unavailable(.noHardware), .unavailable(.notEnrolled), .unavailable(.noPasscode):
            .done(.notPossible, ["reason": "\(error)"])
        case _ where error.isUserOrMoment: .undecided(problem: "\(error)")
        default: .done(.didNotHold, facts.merging([key: "\(error)"]) { $1 })
        }
    }
}

extension BiometricError {
    /// Whether the error says nothing about the key: the user stopped, or the prompt cannot be shown now.
    fileprivate var isUserOrMoment: Bool {
        switch self {
        case .cancelled, .pinChosen, .notRecognised, .interrupted, .unavailable: true
        case .enrolmentChanged, .corrupt, .failed: false
        }
    }
}
