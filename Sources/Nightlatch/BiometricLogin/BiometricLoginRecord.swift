import Foundation
import NightlatchWire

/// The record of the account that has biometric login on this device. Every change writes the whole record. It contains
/// nothing secret.
struct BiometricLoginRecord: RecordFormat, Hashable, Sendable {
    static let newestFormat = 1

    static func error(_ fault: RecordFault) -> RegistryError { RegistryError(.biometricLogin, fault: fault) }

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

    /// Reads a stored record. Any encoding other than the one that this type writes is corrupt.
    init(_ stored: StoredRecord) throws(RegistryError) {
        self = try stored.decoded()
    }

    /// Returns the record as it is stored, with the next revision.
    ///
    /// - Throws: `corrupt` after the greatest revision, because the written record could not be read back.
    func stored() throws(RegistryError) -> StoredRecord {
        var next = self
        next.revision += 1
        guard StoredRecord.revisions.contains(next.revision) else { throw Self.error(.corrupt) }
        return StoredRecord(revision: next.revision, bytes: [UInt8](StrictJSON.encode(next)))
    }
}

/// The stage of biometric login. Each step is stored before it is carried out.
enum BiometricLoginStage: Codable, Hashable, Sendable {
    /// The keys are being created and bound.
    case enabling
    case enabled(user: UserID)
    /// The relying party must revoke the device; then its keys are removed.
    case disabling(user: UserID?)

    var user: UserID? {
        switch self {
        case .enabling: nil
        case .enabled(let user): user
        case .disabling(let user): user
        }
    }
}
