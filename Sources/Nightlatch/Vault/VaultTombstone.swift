import NightlatchWire

/// The record that replaces a vault's record when the lockout policy erases the vault. It is evidence that the library
/// ended the vault.
///
/// Of the vault's data, it contains only the id. A profile's keys are removed only because of a tombstone, never
/// because a store finds no record: a store may fail to find an existing record.
struct VaultTombstone: RecordFormat, Hashable, Sendable {
    /// Two, so that a version of the library without tombstones asks for an update instead of reporting damage.
    static let newestFormat = 2
    static let limits = JSONLimits(byteCount: 512, depth: 2)

    static func error(_ fault: RecordFault) -> VaultError { VaultError(fault: fault) }

    /// The cause of the vault's end.
    enum Ending: String, Codable, Hashable, Sendable {
        /// The last wrong PIN, or a PIN that the user gave up, under ``LockoutEnd/wipe``.
        case wiped
    }

    private(set) var format = Self.newestFormat
    let vaultID: VaultID
    var revision: UInt64
    let ended: Ending
    var recordMAC: VaultMAC?

    private enum CodingKeys: String, CodingKey {
        case format
        case vaultID = "vault_id"
        case revision, ended
        case recordMAC = "record_mac"
    }
}

extension StoredRecord {
    private struct Mark: Decodable {
        let ended: String
    }

    /// Whether the bytes are a tombstone, damaged or not. A vault's own record has no member `ended`.
    var isTombstone: Bool {
        do {
            _ = try StrictJSON.decode(Mark.self, from: bytes, limits: VaultTombstone.limits)
            return true
        } catch {
            return false
        }
    }
}

/// The result of looking for a vault in a store.
enum VaultFinding: Sendable {
    /// The store finds no record: there never was one, it was removed, or the store does not find it now.
    case nothing
    case record(VaultRecord)
    /// The lockout policy has erased the vault.
    case wiped(VaultTombstone)

    /// The revision that a new vault's record replaces; nil if there is a vault.
    var revisionToCreateOver: UInt64? {
        switch self {
        case .nothing: 0
        case .record: nil
        case .wiped(let tombstone): tombstone.revision
        }
    }
}

extension Vault {
    /// Reads the store. If the store has a key, a returned record or tombstone is authenticated.
    func find() async throws(VaultError) -> VaultFinding {
        let stored: StoredRecord?
        do {
            stored = try await store.read()
        } catch {
            throw .store(error)
        }
        guard let stored else { return .nothing }
        if stored.isTombstone {
            let tombstone: VaultTombstone = try stored.decoded()
            try await check(tombstone.recordMAC, against: transcript(of: tombstone))
            return .wiped(tombstone)
        }
        let record = try VaultRecord(stored)
        try await checkMAC(of: record)
        return .record(record)
    }

    /// Writes a tombstone over `record`.
    ///
    /// - Returns: Whether it was written. If not, another process has written.
    func bury(_ record: VaultRecord) async throws(VaultError) -> Bool {
        var tombstone = VaultTombstone(vaultID: record.vaultID, revision: record.revision + 1, ended: .wiped)
        tombstone.recordMAC = try await recordMAC(over: transcript(of: tombstone))
        let stored = StoredRecord(revision: tombstone.revision, bytes: [UInt8](StrictJSON.encode(tombstone)))
        do throws(StoreError) {
            do throws(StoreError) {
                guard StoredRecord.revisions.contains(stored.revision) else { throw StoreError(.full) }
                try await store.replace(stored, expecting: record.revision)
            } catch {
                // Erasing must succeed even if the store is full or the revision is the greatest. Without the
                // tombstone, the vault counts as missing.
                guard error.code == .full else { throw error }
                try await store.remove(expecting: record.revision)
            }
        } catch {
            guard error.code == .conflict else { throw .store(error) }
            return false
        }
        return true
    }

    private func transcript(of tombstone: VaultTombstone) -> Transcript {
        var transcript = Transcript("nightlatch vault tombstone")
        transcript.append(UInt64(VaultTombstone.newestFormat))
        transcript.append(tombstone.vaultID.rawValue)
        transcript.append(tombstone.revision)
        transcript.append(tombstone.ended.rawValue)
        return transcript
    }
}
