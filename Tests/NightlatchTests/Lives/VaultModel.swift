import Nightlatch

/// What must be true of a vault, in the simplest words: no cryptography, no record, and the time as it really passes.
struct VaultModel {
    let policy: LockoutPolicy
    /// Time as it really passes, which no device can read.
    private(set) var now = Duration.zero

    private(set) var exists = false
    /// Whether the lockout policy has ended it, which a tombstone says.
    private(set) var isWiped = false
    /// Which of all vaults that were made in this place.
    private(set) var vaultNumber = 0
    /// How often it was sealed anew.
    private(set) var epoch = 0
    /// The PIN that opens it; nil once it was ended.
    private(set) var pin: String?
    private(set) var iterations = 0
    /// The secrets, or what they may be where a crash leaves that open and nothing opens the vault to tell.
    private(set) var possibleSecrets: [[String: String]] = [[:]]
    private(set) var hasBiometricKey = false
    /// Whether biometrics open it. A wallet that was locked keeps the key and loses the way.
    private(set) var hasBiometrics = false
    private(set) var isEnrolmentChanged = false
    private(set) var phrase: String?
    /// Whether a phrase has gone since it was sealed.
    private(set) var isRekeyDue = false
    private(set) var failures = 0
    /// When a PIN may be tried at the earliest.
    private(set) var waitEnd = Duration.zero
    /// Whether the wait ends just then; not after a boot, until somebody has asked.
    private(set) var isWaitKnown = true

    init(policy: LockoutPolicy) {
        self.policy = policy
    }

    var isPinBlocked: Bool { pin == nil || failures >= policy.limit }
    var triesLeft: Int { policy.limit - failures }
    var wait: Duration { policy.wait(afterFailures: failures) }
    var areBiometricsBlocked: Bool { isPinBlocked && policy.end == .recoveryPhrase }
    var unblocking: Unblocking { policy.end == .recoveryPhrase && phrase != nil ? .recoveryPhrase : .newCredentials }

    var ways: Set<VaultWay> {
        guard exists else { return [] }
        var ways: Set<VaultWay> = []
        if !isPinBlocked { ways.insert(.pin) }
        if hasBiometrics, !areBiometricsBlocked { ways.insert(.biometrics) }
        if phrase != nil { ways.insert(.recoveryPhrase) }
        return ways
    }

    // MARK: Time

    mutating func pass(_ time: Duration) { now += time }

    mutating func boot(uptime: Duration) {
        now += uptime
        isWaitKnown = waitEnd == .zero
    }

    /// Somebody was told to wait for `left`, which must be neither too short nor endless.
    ///
    /// - Returns: Whether that is right.
    mutating func waits(_ left: Duration) -> Bool {
        guard left > .zero, left <= wait, now + left >= waitEnd, !isWaitKnown || now + left == waitEnd else {
            return false
        }
        waitEnd = now + left
        isWaitKnown = true
        return true
    }

    /// Whether a PIN may be tried now.
    var mayTry: Bool { now >= waitEnd }

    // MARK: What is done to it

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

    /// Everything is sealed anew, for all who have a key to it.
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

    // MARK: What is seen of it

    /// What can be seen after a crash, when it is not known how far something had come.
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
        /// Which PINs and phrases open it, and what is in it.
        var pins: [String] = []
        var phrases: [String] = []
        var secrets: [String: String]?
    }

    /// Takes what is seen for what it is, if it can have come of this model by a part of what led to `after`.
    ///
    /// - Returns: What cannot have come of it.
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
        // The key itself is sealed. A wallet that is locked has kept it if it had one.
        if sight.hasPin || policy.end != .recoveryPhrase { hasBiometricKey = sight.hasBiometrics }
        hasBiometrics = sight.hasBiometrics
        isEnrolmentChanged = sight.isEnrolmentChanged
        (phrase, isRekeyDue) = (sight.phrases.first, sight.isRekeyDue)
        possibleSecrets = sight.secrets.map { [$0] } ?? possible
        return wrong
    }
}
