package import Nightlatch
import NightlatchPlatform

/// The part of a vault's PIN in addition to the stretching. It runs in the process that uses the vault.
package enum VaultHardening: String, Codable, CaseIterable, Sendable {
    /// Another party: ``LoopedTwoPartyPin``.
    case twoParty = "two-party"
    /// A chip: ``LoopedPinChip``.
    case chip

    /// - Parameter path: The path of the vault. The other party or the chip keeps its records beside it, and makes them
    ///   if they are missing.
    package func hardener(ofVaultAt path: String) throws -> any PinHardener {
        switch self {
        case .twoParty: try LoopedTwoPartyPin(vaultAt: path)
        case .chip: ChipPinHardener(name: "vault", chip: LoopedPinChip(), store: FileStore(path: path + ".chip"))
        }
    }
}
