import Foundation
package import Nightlatch
import NightlatchPlatform

/// A use of a vault, and the needles to search for in memory afterwards.
package struct MemoryInspection: Codable, Sendable {
    package enum Moment: String, Codable, Sendable, CaseIterable {
        /// A vault was created with the PIN, and locked.
        case created
        /// The PIN was right, and the vault is open.
        case open
        /// The PIN was wrong.
        case refused
        /// The PIN was right, a secret was read and one was written, and the vault was locked again.
        case locked
        /// The PIN was changed to the new one, and the vault was locked.
        case changed
        /// The phrase opened the vault and set the new PIN, and the vault was locked.
        case recovered
        /// The PIN was right, and wallet keys of both kinds have signed.
        case signed
        /// The PIN is held in zeroing memory.
        case held
        /// The PIN was held in zeroing memory, and was released.
        case letGo
        /// The PIN was copied to common memory.
        case copied
    }

    let moment: Moment
    let keyDerivation: KeyDerivationParameters
    let hardening: VaultHardening?
    let pin: SplitBytes
    let newPin: SplitBytes
    let phrase: SplitBytes
    let needles: [MaskedNeedle]
    let mask: UInt32

    package init(
        _ moment: Moment,
        keyDerivation: KeyDerivationParameters,
        hardening: VaultHardening?,
        pin: SplitBytes,
        newPin: SplitBytes,
        phrase: SplitBytes,
        needles: [MaskedNeedle],
        mask: UInt32
    ) {
        self.moment = moment
        self.keyDerivation = keyDerivation
        self.hardening = hardening
        self.pin = pin
        self.newPin = newPin
        self.phrase = phrase
        self.needles = needles
        self.mask = mask
    }

    /// Reads the inspection from standard input, carries it out, and writes the findings to standard output.
    static func run(path: String) async throws {
        let input = try FileHandle.standardInput.readToEnd() ?? Data()
        let inspection = try JSONDecoder().decode(MemoryInspection.self, from: input)
        let findings = try await inspection.run(at: path)
        try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(findings))
    }

    /// Uses the vault as an app does.
    private func run(at path: String) async throws -> MemoryFindings {
        let vault = Vault(
            store: FileStore(path: path), clock: SystemLockoutClock(),
            hardener: try hardening?.hardener(ofVaultAt: path),
            configuration: VaultConfiguration(
                pinPolicy: .anyLength, keyDerivation: keyDerivation))
        let search = MemorySearch(for: needles, mask: mask)
        switch moment {
        case .created:
            await (try vault.create(with: Pin(digits: pin.joined()))).lock()
            return try search.run()
        case .open:
            let open = try await vault.unlock(with: Pin(digits: pin.joined()))
            let findings = try search.run()
            await open.lock()
            return findings
        case .refused:
            do {
                _ = try await vault.unlock(with: Pin(digits: pin.joined()))
            } catch UnlockError.refused(.wrong) {
                return try search.run()
            }
            throw Unexpected()
        case .locked:
            let open = try await vault.unlock(with: Pin(digits: pin.joined()))
            guard try await open.secret(named: "seed") != nil else { throw Unexpected() }
            try await open.set(SecretBytes(copying: [1, 2, 3]), named: "other")
            await open.lock()
            return try search.run()
        case .changed:
            await (try vault.changePin(from: Pin(digits: pin.joined()), to: Pin(digits: newPin.joined()))).lock()
            return try search.run()
        case .recovered:
            try await recover(vault)
            return try search.run()
        case .signed:
            for name in ["ed25519", "p256"] as [WalletKeyName] {
                _ = try await vault.sign(Array("message".utf8), with: name, pin: Pin(digits: pin.joined()))
            }
            return try search.run()
        case .held:
            let held = pin.joined()
            let findings = try search.run()
            guard held.byteCount > 0 else { throw Unexpected() }
            return findings
        case .letGo:
            _ = pin.joined()
            return try search.run()
        case .copied:
            let copy = unsafe pin.joined().withUnsafeBytes { unsafe Array($0) }
            let findings = try search.run()
            guard !copy.isEmpty else { throw Unexpected() }
            return findings
        }
    }

    /// A separate function, so that the phrase is released at its end.
    private func recover(_ vault: Vault) async throws {
        let phrase = try RecoveryPhrase(typed: phrase.joined())
        await (try vault.recover(with: phrase, newPin: Pin(digits: newPin.joined()))).lock()
    }

    private struct Unexpected: Error {}
}

extension SplitBytes {
    /// Joins the parts. The bytes exist in zeroing memory only.
    func joined() -> SecretBytes {
        unsafe SecretBytes(byteCount: pad.count) { memory in
            for index in pad.indices { unsafe memory[index] = pad[index] ^ rest[index] }
        }
    }
}
