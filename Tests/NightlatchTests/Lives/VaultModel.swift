import Nightlatch

/// A simple model of a vault, without cryptography, without a record, and with the real time.
struct VaultModel {
    let policy: LockoutPolicy
    /// The real time, which no device can read.
    private(set) var now = Duration.zero

    private(set) var exists = false
    /// Whether the lockout policy has wiped the vault, which leaves a tombstone.
    private(set) var isWiped = false
    /// The number of this vault among all vaults of this store.
    private(set) var vaultNumber = 0
    /// The number of times that the vault was sealed.
    private(set) var epoch = 0
    /// The PIN that opens the vault; nil once it has ended.
    private(set) var pin: String?
    private(set) var iterations = 0
    /// The secrets. There are several possibilities if a crash leaves them open and nothing opens the vault.
    private(set) var possibleSecrets: [[String: String]] = [[:]]
    private(set) var hasBiometricKey = false
    /// Whether biometrics open the vault. A locked wallet keeps the key and loses the slot.
    private(set) var hasBiometrics = false
    private(set) var isEnrolmentChanged = false
    private(set) var phrase: String?
    /// Whether a phrase was removed since the vault was sealed.
    private(set) var isRekeyDue = false
    private(set) var failures = 0
    /// The earliest time for the next attempt.
    private(set) var waitEnd = Duration.zero
    /// Whether the wait ends exactly then. After a boot, that is unknown until the next query.
    private(set) var isWaitKnown = true

    init(policy: LockoutPolicy) {
        self.policy = policy
    }

    var isPinBlocked: Bool { pin == nil || failures >= policy.limit }
    var triesLeft: Int { policy.limit - failures }
    var wait: Duration { policy.wait(afterFailures: failures) }
    var areBiometricsBlocked: Bool { isPinBlocked && policy.end == .recoveryPhrase }
    var unblocking: Unblocking { policy.end == .recoveryPhrase && phrase != nil ? .recoveryPhrase : .newCredentials }

    var slots: Set<VaultSlot> {
        guard exists else { return [] }
        var slots: Set<VaultSlot> = []
        if !isPinBlocked { slots.insert(.pin) }
        if hasBiometrics, !areBiometricsBlocked { slots.insert(.biometrics) }
        if phrase != nil { slots.insert(.recoveryPhrase) }
        return slots
    }

    // MARK: Time

    mutating func pass(_ time: Duration) { now += time }

    mutating func boot(uptime: Duration) {
        now += uptime
        isWaitKnown = waitEnd == .zero
    }

    /// Checks a reported wait of `left`, which must be neither too short nor endless.
    ///
    /// - Returns: Whether the wait is right.
    mutating func waits(_ left: Duration) -> Bool {
        guard left > .zero, left <= wait, now + left >= waitEnd, !isWaitKnown || now + left == waitEnd else {
            return false
        }
        waitEnd = now + left
        isWaitKnown = true
        return true
    }

    /// Whether an attempt is allowed now.
    var mayTry: Bool { now >= waitEnd }

    // MARK: Changes

    mutating func create(_ pin: String) {
        exists = true
        isWiped = false
        vaultNumber += 1
        epoch = 1
        self.pin = pin
        iterations = 1
        possibleSecrets = [[:]]
        (hasBiometricKey, hasBiometrics, isEnrolmentChanged) = (false, false, false)
        (phrase, isRekeyDue) = (nil, false)
        clearFailures()
    }

    mutating func fail() {
        failures += 1
        waitEnd = wait == .zero ? .zero : now + wait
        isWaitKnown = true
        if failures == policy.limit { end() }
    }

    mutating func clearFailures() {
        failures = 0
        waitEnd = .zero
        isWaitKnown = true
    }

    mutating func end() {
        guard policy.end != .wipe else { return wipe() }
        pin = nil
        if policy.end == .recoveryPhrase { hasBiometrics = false }
    }

    mutating func erase() { (exists, isWiped) = (false, false) }

    mutating func wipe() { (exists, isWiped) = (false, true) }

    /// Seals everything again, for every slot whose key exists.
    mutating func rekey(to pin: String, iterations: Int, keepingBiometrics: Bool = true) {
        epoch += 1
        isRekeyDue = false
        if !keepingBiometrics { hasBiometricKey = false }
        self.pin = pin
        self.iterations = iterations
        hasBiometrics = hasBiometricKey
    }

    mutating func change(_ change: (inout [String: String]) -> Void) {
        for index in possibleSecrets.indices { change(&possibleSecrets[index]) }
    }

    mutating func setBiometrics(_ isSet: Bool) {
        (hasBiometricKey, hasBiometrics, isEnrolmentChanged) = (isSet, isSet, false)
    }

    mutating func changeEnrolment() { isEnrolmentChanged = true }

    mutating func setPhrase(_ phrase: String?) {
        if self.phrase != nil, phrase != self.phrase { isRekeyDue = true }
        self.phrase = phrase
    }

    // MARK: Observations

    /// An observation after a crash, when the progress of the action is unknown.
    struct Sight {
        var exists = false
        var isWiped = false
        var epoch = 0
        var iterations: Int?
        var failures = 0
        var hasPin = false
        var hasBiometrics = false
        var isEnrolmentChanged = false
        var hasPhrase = false
        var isRekeyDue = false
        /// The PINs and phrases that open the vault, and its content.
        var pins: [String] = []
        var phrases: [String] = []
        var secrets: [String: String]?
    }

    /// Adopts the observed state, if part of the change from this model to `after` explains it.
    ///
    /// - Returns: The observations that it cannot explain.
    mutating func settle(_ sight: Sight, onTheWayTo after: VaultModel, mayCharge: Bool) -> [String] {
        var wrong: [String] = []
        func check(_ isPossible: Bool, _ text: String) {
            if !isPossible { wrong.append(text) }
        }
        check(sight.exists == exists || sight.exists == after.exists, "existence")
        check(sight.isWiped == isWiped || sight.isWiped == after.isWiped, "a tombstone")
        guard sight.exists else {
            if sight.isWiped { wipe() } else { erase() }
            return wrong
        }
        let isNew = !exists || after.vaultNumber != vaultNumber
        if isNew {
            self = after
        } else {
            check([epoch, after.epoch].contains(sight.epoch), "epoch \(sight.epoch)")
            check(
                [failures, after.failures].contains(sight.failures) || mayCharge && sight.failures == failures + 1,
                "\(sight.failures) failures after \(failures)")
            if sight.failures == 0 {
                clearFailures()
            } else if sight.failures > failures {
                failures = sight.failures
                waitEnd = wait == .zero ? .zero : now + wait
                isWaitKnown = true
            }
        }
        check(sight.hasPin == (pin != nil) || sight.hasPin == (after.pin != nil), "a PIN or none")
        check(sight.pins.count == (sight.hasPin ? 1 : 0), "PINs \(sight.pins)")
        check(sight.pins.allSatisfy { $0 == pin || $0 == after.pin }, "PIN \(sight.pins)")
        check([hasBiometrics, after.hasBiometrics].contains(sight.hasBiometrics), "biometrics")
        check(sight.phrases.count == (sight.hasPhrase ? 1 : 0), "phrases \(sight.phrases)")
        check(sight.phrases.first == phrase || sight.phrases.first == after.phrase, "phrase \(sight.phrases)")
        let possible = possibleSecrets + after.possibleSecrets
        if let secrets = sight.secrets { check(possible.contains(secrets), "secrets \(secrets)") }

        epoch = sight.epoch
        iterations = sight.iterations ?? iterations
        pin = sight.pins.first
        // The key itself is sealed. A locked wallet has kept it if it had one.
        if sight.hasPin || policy.end != .recoveryPhrase { hasBiometricKey = sight.hasBiometrics }
        hasBiometrics = sight.hasBiometrics
        isEnrolmentChanged = sight.isEnrolmentChanged
        (phrase, isRekeyDue) = (sight.phrases.first, sight.isRekeyDue)
        possibleSecrets = sight.secrets.map { [$0] } ?? possible
        return wrong
    }
}
