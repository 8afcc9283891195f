import Foundation
import NightlatchWire

/// Which account of the device has biometric login, written whole with every change. It holds nothing secret.
struct BiometricLoginRecord: RecordFormat, Hashable, Sendable {
    typealias ReadingError = BiometricLoginRecordError

    static let newestFormat = 1

    let format: Int
    private(set) var revision: UInt64
    /// The account's vault.
    let vaultID: VaultID
    var stage: BiometricLoginStage

    init(vaultID: VaultID) {
        format = Self.newestFormat
        revision = 0
        self.vaultID = vaultID
        stage = .enabling
    }

    private enum CodingKeys: String, CodingKey {
        case format, revision, stage
        case vaultID = "vault_id"
    }

    /// Reads a record as it was written, and nothing else: what would be written differently is corrupt.
    init(_ stored: StoredRecord) throws(BiometricLoginRecordError) {
        self = try stored.decoded()
    }

    /// The record as it is stored with the next revision.
    ///
    /// - Throws: `corrupt` after the greatest revision: what could not be read back is not written.
    func stored() throws(BiometricLoginRecordError) -> StoredRecord {
        var next = self
        next.revision += 1
        guard StoredRecord.revisions.contains(next.revision) else { throw .corrupt }
        return StoredRecord(revision: next.revision, bytes: [UInt8](StrictJSON.encode(next)))
    }
}

/// How far it has come. What is about to be done is written before it is done.
enum BiometricLoginStage: Codable, Hashable, Sendable {
    /// Keys are made and bound, or about to be.
    case enabling
    case enabled(user: UserID)
    /// The relying party is to revoke the device, and then its keys go.
    case disabling(user: UserID?)

    var user: UserID? {
        switch self {
        case .enabling: nil
        case .enabled(let user): user
        case .disabling(let user): user
        }
    }
}
