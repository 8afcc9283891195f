import NightlatchWire

/// The stored state of a ``ChipPinHardener``: the epochs, each with its sealed key.
///
/// It is one record, replaced whole. So one write makes an epoch current and removes the previous one.
struct ChipPinRecord: RegistryRecord, Hashable {
    struct Epoch: Codable, Hashable, Sendable {
        let number: PinEpoch
        /// A random name. It distinguishes the epoch from an epoch with the same number in an earlier record that was
        /// lost.
        let name: PinPublicKey
        /// The key that the chip has sealed; nil until an input was hardened. Only an epoch with a sealed key becomes
        /// current.
        var sealed: SealedBytes?
    }

    static let newestFormat = 1
    static let limits = JSONLimits(byteCount: 32 * 1024, depth: 4)

    static func error(_ fault: RecordFault) -> PinHardenerError {
        switch fault {
        case .corrupt: .chip(.corrupt)
        case .newerFormat: .chip(.newerFormat)
        case .store(let error): .store(error)
        }
    }

    let format: Int
    var revision: UInt64
    /// The number of the epoch that is opened next.
    private var nextEpoch: PinEpoch
    private(set) var current: Epoch?
    private(set) var candidate: Epoch?

    private enum CodingKeys: String, CodingKey {
        case format, revision, current, candidate
        case nextEpoch = "next_epoch"
    }

    init() {
        format = Self.newestFormat
        revision = 0
        nextEpoch = .first
    }

    init(_ stored: StoredRecord) throws(PinHardenerError) {
        self = try stored.decoded()
        guard [current, candidate].compactMap({ $0?.number }).allSatisfy({ $0 < nextEpoch }),
            current.map({ $0.sealed != nil && $0.number != candidate?.number }) ?? true
        else { throw .chip(.corrupt) }
    }

    var standing: PinStanding {
        // A chip destroys no keys and gives no dates.
        PinStanding(
            epoch: current?.number, candidate: candidate?.number, nextEpoch: nextEpoch, window: .first,
            triesLeft: PinGuessIDs.countLimit, isCodeRequired: false, issuedAt: NumericDate(secondsSince1970: 0))
    }

    func live(_ epoch: HardenedEpoch) -> Epoch? {
        [current, candidate].compactMap(\.self).first { $0.number == epoch.epoch && $0.name == epoch.publicKey }
    }

    func isCandidate(_ epoch: HardenedEpoch) -> Bool {
        candidate.map { $0.number == epoch.epoch && $0.name == epoch.publicKey } ?? false
    }

    /// Opens the next epoch as a candidate, and replaces an earlier candidate.
    mutating func open(_ name: PinPublicKey) -> PinEpoch {
        // A vault that was being created may depend on the earlier candidate, so that candidate becomes current.
        // Nothing else can depend on it.
        if current == nil, candidate?.sealed != nil { current = candidate }
        let number = nextEpoch
        candidate = Epoch(number: number, name: name)
        nextEpoch = number.next
        return number
    }

    /// Stores the key that the chip has sealed for a candidate, unless another call has stored one.
    mutating func keep(_ sealed: SealedBytes, of epoch: HardenedEpoch) {
        guard candidate?.sealed == nil, live(epoch) == candidate else { return }
        candidate?.sealed = sealed
    }

    /// - Returns: Whether the epoch is current now.
    mutating func promote(_ epoch: HardenedEpoch) -> Bool {
        guard let live = live(epoch) else { return false }
        guard live == candidate else { return true }
        guard live.sealed != nil else { return false }
        current = live
        candidate = nil
        return true
    }

    /// - Returns: Whether the epoch was opened once, and can no longer become current.
    mutating func abandon(_ number: PinEpoch) -> Bool {
        guard number < nextEpoch, number != current?.number else { return false }
        if candidate?.number == number { candidate = nil }
        return true
    }
}
