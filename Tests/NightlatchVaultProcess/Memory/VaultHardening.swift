package import Nightlatch
import NightlatchPlatform

/// What has a part in a vault's PIN beside the stretching. It runs in the process that uses the vault.
package enum VaultHardening: String, Codable, CaseIterable, Sendable {
    /// Another party: ``LoopedTwoPartyPin``.
    case twoParty = "two-party"
    /// A chip: ``LoopedPinChip``.
    case chip

    /// - Parameter path: That of the vault, beside which the other party or the chip keeps what it has. It is made if there is none.
    package func hardener(ofVaultAt path: String) throws -> any PinHardener {
        switch self {
        case .twoParty: try LoopedTwoPartyPin(vaultAt: path)
        case .chip: ChipPinHardener(name: "vault", chip: LoopedPinChip(), store: FileStore(path: path + ".chip"))
        }
    }
}
