import Foundation
import Nightlatch

/// The secrets, as the app has stored them so far.
protocol UnlockedSecrets: Sendable {
    /// Returns whether an old item exists. Throws, and never returns false, if that cannot be found out.
    func exist() throws -> Bool
    /// Asks for a face or a finger, as the app does today.
    func recognisesOwner() async throws -> Bool
    /// Returns a secret, or nil if there is none with that name. Throws, and never returns nil, if it cannot be read.
    func secret(named name: SecretName) throws -> SecretBytes?
    /// Removes every old item. Can be repeated.
    func remove() throws
}

#if canImport(LocalAuthentication) && canImport(Security)
import LocalAuthentication
import Security

struct KeychainSecrets: UnlockedSecrets {
    struct Failure: Error {
        let status: OSStatus
    }

    let service: String
    let names: Set<SecretName>

    func exist() throws -> Bool {
        for name in names where try secret(named: name) != nil { return true }
        return false
    }

    func recognisesOwner() async throws -> Bool {
        let context = LAContext()
        let isOwner = await withCheckedContinuation { continuation in
            context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Set up your PIN") { isOwner, _ in
                continuation.resume(returning: isOwner)
            }
        }
        context.invalidate()
        return isOwner
    }

    func secret(named name: SecretName) throws -> SecretBytes? {
        var query = query(name)
        query[kSecReturnData] = true
        var found: CFTypeRef?
        switch unsafe SecItemCopyMatching(query as CFDictionary, &found) {
        case errSecSuccess: return (found as? Data).map { SecretBytes(copying: Array($0)) }
        // Only this status means that there is no such item. Others mean: try again later.
        case errSecItemNotFound: return nil
        case let status: throw Failure(status: status)
        }
    }

    func remove() throws {
        for name in names {
            let status = SecItemDelete(query(name) as CFDictionary)
            guard status == errSecSuccess || status == errSecItemNotFound else { throw Failure(status: status) }
        }
    }

    private func query(_ name: SecretName) -> [CFString: Any] {
        [kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: "\(name)"]
    }
}
#endif

struct FaceMigration {
    let vault: Vault
    let old: any UnlockedSecrets
    /// The secrets that move, under the names that they have in the vault.
    let secrets: Set<SecretName>

    enum Stage {
        /// There is nothing old: let a new user choose a PIN.
        case nothingToMove
        /// Let the user choose a PIN, and call ``begin(newPin:)``.
        case notBegun
        /// The move was interrupted. Ask for the PIN, open the vault with it, and call ``finish(in:)`` before anything
        /// else.
        case cutOff
        /// Only the vault exists.
        case done
    }

    func stage() async throws -> Stage {
        let hasVault = try await vault.state() != .absent
        return switch (hasVault, try old.exist()) {
        case (false, false): .nothingToMove
        case (false, true): .notBegun
        case (true, true): .cutOff
        case (true, false): .done
        }
    }

    /// - Returns: The vault, open; nil if the owner was not recognised.
    func begin(newPin: borrowing Pin) async throws -> OpenVault? {
        guard try await old.recognisesOwner() else { return nil }
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

func offerFace(_ keyring: any BiometricKeyring, in open: OpenVault) async throws(BiometricSetupError) -> Bool {
    guard await keyring.availability() == .available else { return false }
    try await open.setUpBiometrics()
    return true
}
