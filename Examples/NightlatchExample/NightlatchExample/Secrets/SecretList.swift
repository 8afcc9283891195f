import Nightlatch
import NightlatchWire
import Observation

/// The secrets in the vault that are the user's own.
@MainActor @Observable
final class SecretList {
    private(set) var names: [SecretName] = []
    /// The secret that the screen shows. The text of a view cannot be wiped: show it only on request.
    private(set) var revealed: (name: SecretName, text: String)?
    let work = Work()
    private let account: Account

    init(of account: Account) { self.account = account }

    func load() async {
        await work.run { try await reload() }
    }

    private func reload() async throws {
        names = try await account.vault.names().filter { !$0.isReserved }
    }

    func reveal(_ name: SecretName) async {
        await work.run {
            guard let secret = try await account.vault.secret(named: name) else { return try await reload() }
            let text = unsafe secret.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
            revealed = (name, text)
        }
    }

    func hide() { revealed = nil }

    /// Seals a secret and replaces an earlier one of this name.
    ///
    /// - Returns: Whether the secret is sealed.
    func add(_ text: String, named name: String) async -> Bool {
        var isSealed = false
        await work.run {
            guard let name = SecretName(rawValue: name), !name.isReserved else {
                work.notice = Notice("A name has up to 64 lowercase letters, digits, dots, dashes and underscores.")
                return
            }
            try await account.vault.set(SecretBytes(copying: Array(text.utf8)), named: name)
            isSealed = true
            try await reload()
        }
        return isSealed
    }

    func delete(_ name: SecretName) async {
        await work.run {
            if revealed?.name == name { hide() }
            try await account.vault.remove([name])
            try await reload()
        }
    }
}
