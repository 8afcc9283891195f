import Nightlatch

/// The PIN and the secrets as the app has kept them so far.
protocol OldPin: Sendable {
    /// Whether the item with the PIN or its hash is there. If that cannot be told now, throw: it is never "no".
    func exists() throws -> Bool
    /// Checks digits as the app does today, and counts failures as it does today.
    func accepts(_ digits: borrowing SecretBytes) throws -> Bool
    /// One of the secrets, or nil if there is none of that name. As above, an error is never "none".
    func secret(named name: SecretName) throws -> SecretBytes?
    /// Removes the secrets, and after them the item with the PIN. It can be repeated.
    func remove() throws
}

struct PinMigration {
    let vault: Vault
    let old: any OldPin
    /// The secrets that move, under the names that they have in the vault.
    let secrets: Set<SecretName>

    enum Stage {
        /// There is no PIN yet, old or new: let the person choose one.
        case nothingToMove
        /// Ask for the old PIN, and call ``begin(with:newPin:)``.
        case notBegun
        /// It was cut off. Ask for the PIN of the vault, open it, and call ``finish(in:)`` before anything else.
        case cutOff
        /// The vault is all there is.
        case done
    }

    func stage() async throws -> Stage {
        let hasVault = try await vault.state() != .absent
        return switch (hasVault, try old.exists()) {
        case (false, false): .nothingToMove
        case (false, true): .notBegun
        case (true, true): .cutOff
        case (true, false): .done
        }
    }

    /// - Parameters:
    ///   - digits: What was typed for the old PIN.
    ///   - newPin: The same digits, if the vault's policy has no objections to them; otherwise a PIN that the person has chosen.
    /// - Returns: The vault, open; nil if the old PIN is wrong.
    func begin(with digits: borrowing SecretBytes, newPin: borrowing Pin) async throws -> OpenVault? {
        guard try old.accepts(digits) else { return nil }
        let open = try await vault.create(with: newPin)
        try await finish(in: open)
        return open
    }

    func finish(in open: OpenVault) async throws {
        // What the vault has by now may be newer than what the app had.
        for name in secrets.subtracting(try await open.names()) {
            guard let secret = try old.secret(named: name) else { continue }
            try await open.set(secret, named: name)
        }
        try old.remove()
    }
}

extension PinMigration {
    /// Every reason why the old PIN cannot be the new one. None: pass it as `newPin`.
    func objections(to digits: borrowing SecretBytes) throws(PinFormatError) -> [PinObjection] {
        vault.pinPolicy.objections(to: try Pin(digits: digits.copy()))
    }
}
