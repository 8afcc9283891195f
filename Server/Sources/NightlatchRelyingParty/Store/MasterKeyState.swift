public import NightlatchWire

/// The master key of a store, and how far its rotation is.
public struct MasterKeyState: Hashable, Sendable {
    /// How far the latest rotation is.
    public enum Phase: String, Hashable, Sendable, CaseIterable {
        /// No rotation is in progress.
        case settled
        /// Some processes may still seal under ``MasterKeyState/previous``.
        case switching
        /// All processes seal under ``MasterKeyState/sealing``; stored boxes are sealed again.
        case sealing
    }

    /// The time after a rotation's switch for which texts under the previous key can still arrive: longer than a
    /// console session, and as long as a used enrolment code can be presented again.
    package static let textLife: Duration = .seconds(24 * 60 * 60)

    /// The key under which all processes seal new values.
    public let sealing: MasterKeyID
    /// The key that was replaced by ``sealing``; nil before the first rotation.
    public internal(set) var previous: MasterKeyID?
    public internal(set) var phase = Phase.settled
    /// The time from which ``sealing`` seals.
    public let since: NumericDate
    /// The time after which nothing that was made under ``previous`` is valid; nil until no process seals under it.
    public internal(set) var previousEndsAt: NumericDate?
    /// The box of the secrets that a rotation does not change, sealed under ``sealing``.
    public let keptSecrets: [UInt8]

    package init(
        sealing: MasterKeyID, previous: MasterKeyID? = nil, phase: Phase = .settled, since: NumericDate,
        previousEndsAt: NumericDate? = nil, keptSecrets: [UInt8]
    ) {
        self.sealing = sealing
        self.previous = previous
        self.phase = phase
        self.since = since
        self.previousEndsAt = previousEndsAt
        self.keptSecrets = keptSecrets
    }

    /// Whether a box under `key` may be stored.
    ///
    /// Before the first rotation any box may: releases without rotation name no key. Later, a process that was asleep
    /// during a rotation must not store a box under a key that the operator may have deleted.
    package func accepts(_ key: MasterKeyID?) -> Bool {
        guard previous != nil else { return true }
        return key == sealing || phase == .switching && key == previous
    }
}

extension MasterKeyState? {
    /// - Throws: ``RelyingPartyStoreError`` `unavailable` if a box under `key` must not be stored. The process seals
    ///   the next one under another key, or must be restarted with it.
    package func require(_ key: MasterKeyID?) throws(RelyingPartyStoreError) {
        guard self?.accepts(key) ?? true else { throw RelyingPartyStoreError(.unavailable) }
    }
}

/// How many stored values are sealed under a master key.
public struct MasterKeyUse: Hashable, Sendable {
    /// The signing keys under this key, and the others.
    public let signingKeys: Count
    /// The devices whose two-party PIN has keys under this key only, and the others.
    public let pins: Count

    public struct Count: Hashable, Sendable {
        public let under: Int
        /// Under another key, under two keys, or under a key that is unknown until the box is opened.
        public let other: Int

        public init(under: Int, other: Int) {
            self.under = under
            self.other = other
        }
    }

    public init(signingKeys: Count, pins: Count) {
        self.signingKeys = signingKeys
        self.pins = pins
    }
}
