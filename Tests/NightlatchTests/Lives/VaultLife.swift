import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

/// A vault on a device whose store sometimes fails, together with its model.
struct VaultLife {
    private let memory = MemoryStore()
    private let store: FaultyStore
    private let keyring = ScriptedBiometrics()
    private let clock = ManualClock(uptime: .seconds(1000))
    private let vault: Vault
    private let stronger: Vault
    private(set) var model: VaultModel
    private var opened: Opened?
    /// The actions so far, to find the cause of a failed test.
    private(set) var log: [String] = []

    private struct Opened {
        let vault: OpenVault
        let number: Int
        var epoch: Int
        let iterations: Int
    }

    init(policy: LockoutPolicy) {
        model = VaultModel(policy: policy)
        store = FaultyStore(memory)
        vault = .forTests(store, clock: clock, policy: policy, biometrics: keyring)
        stronger = .forTests(
            store, clock: clock, policy: policy, biometrics: keyring, keyDerivation: .pbkdf2(iterations: 2))
    }

    /// A difference between the vault and the model.
    struct Broken: Error, CustomStringConvertible {
        let description: String
    }

    /// - Parameter fault: The call of the store that fails, and how, if there is a crash.
    mutating func live(_ action: VaultAction, fault: (call: Int, kind: FaultyStore.Fault)?) async throws {
        log.append("\(action)\(fault.map { ", store fails \($0.kind) call \($0.call)" } ?? "")")
        var after = model
        store.repair()
        if let fault { store.fail(at: fault.call, fault.kind) }
        let result = await perform(action)
        let isCrashed = fault.map { store.callCount > $0.call } ?? false
        store.repair()
        guard isCrashed else {
            try judge(action, result, &after)
            model = after
            try await expectSight()
            return
        }
        predict(action, &after)
        // The process has ended, and its open vault with it.
        opened = nil
        let wrong = model.settle(try await sight(after), onTheWayTo: after, mayCharge: action.triesPin)
        guard wrong.isEmpty else { throw Broken(description: "after a crash: \(wrong)") }
    }

    /// Opens the vault in every possible way, and compares its content with the model.
    mutating func compare() async throws {
        let wrong = model.settle(try await sight(model), onTheWayTo: model, mayCharge: false)
        guard wrong.isEmpty else { throw Broken(description: "in the end: \(wrong)") }
    }

    // MARK: Actions

    private enum Result {
        case done
        case opened(OpenVault, iterations: Int)
        case refusal(PinRefusal)
        case state(VaultState)
        case failed(any Error)
        /// There was no open vault for the action.
        case skipped
    }

    private func perform(_ action: VaultAction) async -> Result {
        do {
            switch action {
            case .create(let pin): return .opened(try await vault.create(pin), iterations: 1)
            case .unlock(let pin): return .opened(try await vault.unlock(pin), iterations: 1)
            case .unlockStronger(let pin): return .opened(try await stronger.unlock(pin), iterations: 2)
            case .changePin(let old, let new): return .opened(try await vault.changePin(old, to: new), iterations: 1)
            case .unlockWithBiometrics:
                return .opened(try await vault.unlockWithBiometrics(reason: "reason"), iterations: 1)
            case .recover(let phrase, let pin, let hasCredentials):
                let credentials: FullCredentials? = hasCredentials ? .checkedByApp() : nil
                return .opened(try await vault.recover(phrase, newPin: pin, after: credentials), iterations: 1)
            case .giveUp: return .refusal(try await vault.giveUpPin())
            case .erase: try await vault.erase()
            case .state: return .state(try await vault.state())
            case .changeEnrolment: keyring.changeEnrolment()
            case .pass(let seconds): clock.advance(by: .seconds(seconds))
            case .boot(let seconds): clock.reboot(uptime: .seconds(seconds))
            default:
                guard let open = opened?.vault else { return .skipped }
                try await perform(action, with: open)
            }
            return .done
        } catch {
            return .failed(error)
        }
    }

    private func perform(_ action: VaultAction, with open: OpenVault) async throws {
        switch action {
        case .set(let name, let text): try await open.set(text, named: name)
        case .remove(let name): try await open.remove([try #require(SecretName(rawValue: name))])
        case .setUpBiometrics: try await open.setUpBiometrics()
        case .removeBiometrics: try await open.removeBiometrics()
        case .setUpRecovery(let phrase): try await open.setUpRecovery(phrase)
        case .removeRecovery: try await open.removeRecovery()
        case .setPin(let pin): try await open.setPin(pin)
        default: break
        }
    }

    // MARK: Predictions

    /// Compares the result of `action` with the model's prediction, and updates the model.
    private mutating func judge(_ action: VaultAction, _ result: Result, _ after: inout VaultModel) throws {
        if case .skipped = result { return }
        // The vault reports the length of a wait, and the model checks it.
        switch result {
        case .failed(let error):
            let refusal = (error as? UnlockError) ?? (error as? ChangePinError).flatMap(\.unlockError)
            if case .refused(.waiting(let left, let triesLeft))? = refusal {
                guard after.exists, !after.isPinBlocked, triesLeft == after.triesLeft, after.waits(left) else {
                    throw Broken(description: "a wait of \(left)")
                }
                return
            }
        case .state(.waiting(let left, let triesLeft)):
            guard after.exists, !after.isPinBlocked, triesLeft == after.triesLeft, after.waits(left) else {
                throw Broken(description: "a wait of \(left)")
            }
            return
        default: break
        }
        if action.triesPin, after.exists, !after.isPinBlocked, !after.mayTry {
            throw Broken(description: "a PIN was tried \(after.waitEnd - after.now) before the end of its wait")
        }
        let expected = predict(action, &after)
        switch (result, expected) {
        case (.done, .done): break
        case (.opened(let open, let iterations), .done):
            opened = Opened(vault: open, number: after.vaultNumber, epoch: after.epoch, iterations: iterations)
        case (.refusal(let refusal), .refusal(let other)) where refusal == other: break
        case (.state(let state), .state(let other)) where state == other: break
        case (.failed(let error), .failed(let other)) where String(reflecting: error) == String(reflecting: other):
            break
        default: throw Broken(description: "\(result), not \(expected)")
        }
        if case .setPin = action, case .done = result { opened?.epoch = after.epoch }
    }

    private enum Prediction {
        case done
        case refusal(PinRefusal)
        case state(VaultState)
        case failed(any Error)
    }

    @discardableResult
    private func predict(_ action: VaultAction, _ after: inout VaultModel) -> Prediction {
        switch action {
        case .create(let pin):
            guard !after.exists else { return .failed(CreateVaultError.exists) }
            after.create(pin)
        case .unlock(let pin), .unlockStronger(let pin):
            if let error = predictUnlock(pin, &after) { return .failed(error) }
            let wanted = if case .unlockStronger = action { 2 } else { 1 }
            if after.iterations < wanted || after.isRekeyDue {
                after.rekey(to: pin, iterations: max(wanted, after.iterations))
            }
        case .changePin(let old, let new):
            guard old != new else { return .failed(ChangePinError.newPinRefused([.sameAsCurrent])) }
            if let error = predictUnlock(old, &after) { return .failed(ChangePinError(error)) }
            after.rekey(to: new, iterations: 1)
        case .unlockWithBiometrics:
            guard after.exists else { return .failed(BiometricUnlockError.noVault) }
            guard !after.areBiometricsBlocked else { return .failed(BiometricUnlockError.blocked(after.unblocking)) }
            guard after.hasBiometrics else { return .failed(BiometricUnlockError.notSetUp) }
            guard !after.isEnrolmentChanged else {
                return .failed(BiometricUnlockError.biometrics(.enrolmentChanged))
            }
        case .recover(let phrase, let pin, let hasCredentials):
            guard after.exists else { return .failed(RecoveryError.noVault) }
            guard let right = after.phrase else { return .failed(RecoveryError.notSetUp) }
            guard hasCredentials || after.policy.end == .recoveryPhrase || !after.isPinBlocked else {
                return .failed(RecoveryError.credentialsNeeded)
            }
            guard phrase == right else { return .failed(RecoveryError.wrongPhrase) }
            after.rekey(to: pin, iterations: 1, keepingBiometrics: false)
            after.clearFailures()
        case .giveUp:
            guard after.exists else { return .failed(UnlockError.noVault) }
            after.end()
            return .refusal(after.exists ? .blocked(after.unblocking) : .erased)
        case .erase: after.erase()
        case .state:
            guard after.exists else { return .state(after.isWiped ? .erased : .absent) }
            guard !after.isPinBlocked else { return .state(.blocked(after.unblocking)) }
            return .state(.ready(triesLeft: after.triesLeft))
        case .changeEnrolment: after.changeEnrolment()
        case .pass(let seconds): after.pass(.seconds(seconds))
        case .boot(let seconds): after.boot(uptime: .seconds(seconds))
        default: return predictOpen(action, &after)
        }
        return .done
    }

    /// The result of testing a PIN, unless there is a wait.
    private func predictUnlock(_ pin: String, _ after: inout VaultModel) -> UnlockError? {
        guard after.exists else { return .noVault }
        guard !after.isPinBlocked else { return .refused(.blocked(after.unblocking)) }
        guard pin != after.pin else {
            after.clearFailures()
            return nil
        }
        after.fail()
        guard after.exists else { return .refused(.erased) }
        guard after.pin != nil else { return .refused(.blocked(after.unblocking)) }
        return .refused(.wrong(triesLeft: after.triesLeft, wait: after.wait == .zero ? nil : after.wait))
    }

    private func predictOpen(_ action: VaultAction, _ after: inout VaultModel) -> Prediction {
        guard let opened, after.exists, opened.number == after.vaultNumber, opened.epoch == after.epoch,
            opened.vault.slot != .pin || after.pin != nil, opened.vault.slot != .biometrics || after.hasBiometrics
        else {
            switch action {
            case .setUpBiometrics, .removeBiometrics: return .failed(BiometricSetupError.vault(.superseded))
            case .setUpRecovery, .removeRecovery:
                let isByBiometrics = opened?.vault.slot == .biometrics
                return .failed(isByBiometrics ? RecoverySetupError.pinNeeded : .vault(.superseded))
            case .setPin: return .failed(SetPinError.vault(.superseded))
            default: return .failed(VaultError.superseded)
            }
        }
        switch action {
        case .set(let name, let text): after.change { $0[name] = text }
        case .remove(let name): after.change { $0[name] = nil }
        case .setUpBiometrics: after.setBiometrics(true)
        case .removeBiometrics: after.setBiometrics(false)
        case .setUpRecovery(let phrase):
            guard opened.vault.slot != .biometrics else { return .failed(RecoverySetupError.pinNeeded) }
            after.setPhrase(phrase)
        case .removeRecovery:
            guard opened.vault.slot != .biometrics else { return .failed(RecoverySetupError.pinNeeded) }
            after.setPhrase(nil)
        case .setPin(let pin):
            guard after.isPinBlocked else { return .failed(SetPinError.hasPin) }
            guard after.unblocking == .newCredentials else { return .failed(SetPinError.recoveryPhraseNeeded) }
            after.rekey(to: pin, iterations: opened.iterations)
            after.clearFailures()
        default: break
        }
        return .done
    }

    // MARK: Observations

    /// The readable values of the record must match the model.
    private func expectSight() async throws {
        let sight = try await readableSight()
        let isRight =
            sight.exists == model.exists && sight.isWiped == model.isWiped
            && (!sight.exists
                || sight.epoch == model.epoch && sight.failures == model.failures && sight.hasPin == (model.pin != nil)
                    && sight.hasBiometrics == model.hasBiometrics
                    && sight.hasPhrase == (model.phrase != nil) && sight.isRekeyDue == model.isRekeyDue
                    && sight.iterations == (model.pin == nil ? nil : model.iterations))
        guard isRight else { throw Broken(description: "\(sight), not \(model)") }
        guard try await vault.slots() == model.slots else {
            throw Broken(description: "other slots than \(model.slots)")
        }
    }

    private func readableSight() async throws -> VaultModel.Sight {
        guard let record = try await memory.read() else { return VaultModel.Sight() }
        let tree = try JSONTree(record)
        guard tree["ended"] == nil else { return VaultModel.Sight(isWiped: true) }
        let recipient = tree["sealed", "slots", "biometric_key"]?.text
        return VaultModel.Sight(
            exists: true, epoch: tree["sealed", "content", "epoch"]?.number ?? -1,
            iterations: tree["sealed", "slots", "pin", "key_derivation", "iterations"]?.number,
            failures: tree["ledger", "failures"]?.number ?? -1, hasPin: tree["sealed", "slots", "pin"] != nil,
            hasBiometrics: tree["sealed", "slots", "biometrics"] != nil,
            isEnrolmentChanged: recipient.map { key in !keyring.keys.contains { $0.rawValue == key } } ?? false,
            hasPhrase: tree["sealed", "slots", "recovery"] != nil,
            isRekeyDue: tree["sealed", "content", "rekey_due"] != nil)
    }

    /// Reads the readable values, and opens a copy with every key, after any wait and far from any limit.
    private func sight(_ after: VaultModel) async throws -> VaultModel.Sight {
        var sight = try await readableSight()
        guard sight.exists, let record = try await memory.read() else { return sight }
        let policy = try LockoutPolicy(firstWaitAfter: 100, waits: [.seconds(1)], limit: 100)
        func copy() -> Vault {
            let copy = MemoryStore()
            copy.plant(record)
            return .forTests(
                copy, clock: ManualClock(uptime: .seconds(1_000_000_000)), policy: policy, biometrics: keyring)
        }
        for pin in VaultAction.pins {
            guard let open = try? await copy().unlock(pin) else { continue }
            sight.pins.append(pin)
            sight.secrets = try await open.texts()
        }
        let credentials = FullCredentials.checkedByApp()
        // No other phrase than these two can open the vault: none was ever set up.
        for phrase in Set([model.phrase, after.phrase].compactMap(\.self)) where sight.hasPhrase {
            guard let open = try? await copy().recover(phrase, newPin: TestPin.right, after: credentials) else {
                continue
            }
            sight.phrases.append(phrase)
            sight.secrets = try await open.texts()
        }
        if sight.hasBiometrics, !sight.isEnrolmentChanged {
            // If biometrics are set up and the key exists, they open the vault.
            sight.secrets = try await copy().unlockWithBiometrics(reason: "reason").texts()
        }
        return sight
    }
}

extension ChangePinError {
    fileprivate init(_ error: UnlockError) {
        switch error {
        case .noVault: self = .noVault
        case .refused(let refusal): self = .refused(refusal)
        case .cancelled: self = .cancelled
        case .vault(let error): self = .unlock(error)
        }
    }

    fileprivate var unlockError: UnlockError? {
        switch self {
        case .noVault: .noVault
        case .refused(let refusal): .refused(refusal)
        case .cancelled: .cancelled
        case .unlock(let error): .vault(error)
        case .newPinRefused, .vault, .rekey, .registry, .emptyPinBox: nil
        }
    }
}
