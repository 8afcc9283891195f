import Foundation
import NightlatchWire

/// Which account of the device has biometric login, written whole with every change. It holds nothing secret.
struct BiometricLoginRecord: Codable, Hashable, Sendable {
    static let newestFormat = 1

    private let format: Int
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

    private struct Format: Decodable {
        let format: Int
    }

    /// Reads a record as it was written, and nothing else: what would be written differently is corrupt.
    init(_ stored: StoredRecord) throws(BiometricLoginRecordError) {
        let format: Int
        do {
            format = try StrictJSON.decode(Format.self, from: stored.bytes).format
        } catch {
            throw .corrupt
        }
        guard format <= Self.newestFormat else { throw .newerFormat(found: format, newestKnown: Self.newestFormat) }
        do {
            self = try StrictJSON.decode(Self.self, from: stored.bytes)
        } catch {
            throw .corrupt
        }
        guard format == Self.newestFormat, revision == stored.revision, (1...UInt64.max - 1).contains(revision),
            StrictJSON.encode(self) == Data(stored.bytes)
        else { throw .corrupt }
    }

    /// The record as it is stored with the next revision.
    func stored() -> StoredRecord {
        var next = self
        next.revision += 1
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
