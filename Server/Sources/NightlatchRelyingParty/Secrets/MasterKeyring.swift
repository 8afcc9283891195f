package import Crypto
import NightlatchWire
import Synchronization

/// The master keys that a process knows: one, or two during a rotation.
///
/// A value that was sealed under either key opens. New values are sealed under one of them, which the store names
/// (``MasterKeyState/sealing``). All processes open both, so a process that learns of the change some seconds later
/// does no harm.
///
/// Only this type and ``MasterKey`` give out keys for purposes.
public struct MasterKeyring: Sendable {
    /// The keys, in the order in which they were given.
    package let keys: [MasterKey]
    private let sealingPlace = SealingPlace()

    private final class SealingPlace: Sendable {
        let index = Atomic<Int>(0)
        let isReplaced = Atomic<Bool>(false)
    }

    /// Creates a keyring. It seals under `key` until ``adopt(_:)`` names the other one.
    ///
    /// - Parameters:
    ///   - key: A key.
    ///   - other: A second key, in any order; nil, or the same key again, if there is only one.
    public init(_ key: MasterKey, other: MasterKey? = nil) {
        keys = [key] + [other].compactMap(\.self).filter { $0.id != key.id }
    }

    /// A keyring with one new key.
    package static func random() -> Self { Self(.random()) }

    /// The key under which new values are sealed.
    package var sealing: MasterKey { keys[place] }

    /// The index of ``sealing`` in ``keys``.
    package var place: Int { sealingPlace.index.load(ordering: .acquiring) }

    /// The ids of all keys.
    package var ids: [MasterKeyID] { keys.map(\.id) }

    /// The key with this id; nil if the keyring does not have it.
    package func key(_ id: MasterKeyID) -> MasterKey? { keys.first { $0.id == id } }

    /// Seals new values under the key `id` from now on.
    ///
    /// - Returns: False if the keyring does not have this key: then ``isReplaced`` is true until a key that it has is
    ///   adopted.
    package func adopt(_ id: MasterKeyID) -> Bool {
        let index = keys.firstIndex { $0.id == id }
        if let index { sealingPlace.index.store(index, ordering: .releasing) }
        sealingPlace.isReplaced.store(index == nil, ordering: .releasing)
        return index != nil
    }

    /// Whether the store seals under a key that this keyring does not have. What needs the key is then unavailable.
    package var isReplaced: Bool { sealingPlace.isReplaced.load(ordering: .acquiring) }

    /// The keys for `purpose`, one of each master key.
    package func keys(for purpose: MasterKey.Purpose) -> PurposeKeys {
        PurposeKeys(keyring: self, known: keys.map { $0.key(for: purpose) })
    }
}

/// The keys for one purpose, derived from each master key of a keyring.
package struct PurposeKeys: Sendable {
    private let keyring: MasterKeyring?
    /// The keys, in the order of ``MasterKeyring/keys``.
    package let known: [SymmetricKey]

    fileprivate init(keyring: MasterKeyring, known: [SymmetricKey]) {
        self.keyring = keyring
        self.known = known
    }

    /// One key that does not change.
    package init(_ key: SymmetricKey) {
        keyring = nil
        known = [key]
    }

    /// The index of the key for new values.
    package var place: Int { keyring?.place ?? 0 }

    /// The key for new values.
    package var sealing: SymmetricKey { known[place] }
}
