import Foundation
import Nightlatch

/// The PIN and the secrets, as the app has stored them so far.
protocol OldPin: Sendable {
    /// Returns whether the item with the PIN or its hash exists. Throws, and never returns false, if it cannot be read.
    func exists() throws -> Bool
    /// Checks digits, and counts failures, as the app does today.
    func accepts(_ digits: borrowing SecretBytes) throws -> Bool
    /// Returns a secret, or nil if there is none with that name. Throws, and never returns nil, if it cannot be read.
    func secret(named name: SecretName) throws -> SecretBytes?
    /// Removes the secrets, then the item with the PIN. Can be repeated.
    func remove() throws
}

/// A PIN in UserDefaults, for apps that keep it there.
struct PinInDefaults: Sendable {
    struct Unreadable: Error {}

    /// The name of the app's suite; nil for the standard one.
    let suite: String?
    /// The key of the PIN or its hash.
    let pinKey: String
    /// A key that the app has written at its first start, and never removes.
    let markerKey: String

    func exists() throws -> Bool {
        let defaults = try defaults()
        guard defaults.object(forKey: markerKey) != nil else { throw Unreadable() }
        return defaults.object(forKey: pinKey) != nil
    }

    /// Call it last in ``OldPin/remove()``.
    func remove() throws {
        try defaults().removeObject(forKey: pinKey)
    }

    private func defaults() throws -> UserDefaults {
        guard let suite else { return .standard }
        guard let defaults = UserDefaults(suiteName: suite) else { throw Unreadable() }
        return defaults
    }
}

struct PinMigration {
    let vault: Vault
    let old: any OldPin
    /// The secrets that move, under the names that they have in the vault.
    let secrets: Set<SecretName>

    enum Stage {
        /// There is no PIN yet, old or new: let the user choose one.
        case nothingToMove
        /// Ask for the old PIN, and call ``begin(with:newPin:)``.
        case notBegun
        /// The move was interrupted. Ask for the vault's PIN, open the vault, and call ``finish(in:)`` before anything
        /// else.
        case cutOff
        /// Only the vault exists.
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
    ///   - digits: The digits that the user typed for the old PIN.
    ///   - newPin: The same digits, if the vault's policy has no objections to them; otherwise a PIN that the user has
    ///     chosen.
    /// - Returns: The vault, open; nil if the old PIN is wrong.
    func begin(with digits: borrowing SecretBytes, newPin: borrowing Pin) async throws -> OpenVault? {
        guard try old.accepts(digits) else { return nil }
        try await vault.create(with: newPin).lock()
        let open = try await vault.unlock(with: newPin)
        try await finish(in: open)
        return open
    }

    /// - Parameter open: The vault, opened by its PIN: nothing old is removed before the PIN has opened the vault.
    func finish(in open: OpenVault) async throws {
        // A secret that is already in the vault may be newer than the app's old copy, so it is not overwritten.
        for name in secrets.subtracting(try await open.names()) {
            guard let secret = try old.secret(named: name) else { continue }
            try await open.set(secret, named: name)
        }
        try old.remove()
    }
}

extension PinMigration {
    /// Returns every reason why the old PIN cannot be the new one. If there is none, pass the old PIN as `newPin`.
    func objections(to digits: borrowing SecretBytes) throws(PinFormatError) -> [PinObjection] {
        vault.objections(to: try Pin(digits: digits.copy()))
    }
}
