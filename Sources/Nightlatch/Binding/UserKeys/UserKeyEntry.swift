package import NightlatchWire

/// The registry's entry for a key of one user at one server. It contains nothing secret.
package struct UserKeyEntry: Codable, Hashable, Sendable {
    /// The tag of the key and of its protection.
    package let tag: KeyTag
    /// The key's identifier on the wire, new for every key.
    package let keyID: String
    package let owner: UserKeyOwner
    /// The user's name for display.
    package let userName: String
    /// The key's name for display.
    package var name: String
    /// The app's own label for the key. It never leaves the device.
    package let label: String?
    package let protection: UserKeyProtection
    package let createdAt: NumericDate
    package internal(set) var stage: UserKeyStage
    /// The key's application password, sealed to the key that biometrics release.
    var box: HPKEBox?

    private enum CodingKeys: String, CodingKey {
        case tag, owner, name, label, protection, stage, box
        case keyID = "key_id"
        case userName = "user_name"
        case createdAt = "created_at"
    }

    /// The maximum size of a text in an entry, in bytes.
    static let textByteCountLimit = 1024

    var isPossible: Bool {
        let texts = [keyID, owner.server, owner.user, userName, name, label ?? ""]
        return texts.allSatisfy { $0.utf8.count <= Self.textByteCountLimit } && !keyID.isEmpty && !owner.user.isEmpty
    }
}

/// The owner of a key. The same name at two servers means two users.
package struct UserKeyOwner: Codable, Hashable, Sendable {
    /// The server, with its realm.
    package let server: String
    /// The user's identifier at that server.
    package let user: String

    package init(server: String, user: String) {
        self.server = server
        self.user = user
    }
}

/// The protection of a user's key: the step that is required before it signs.
package enum UserKeyProtection: String, Codable, Hashable, Sendable, CaseIterable {
    /// No step is required.
    case none
    /// Biometrics release the key's application password.
    case biometrics
    /// Biometrics or the device's passcode release the key's application password.
    case biometricsOrPasscode = "biometrics_or_passcode"
    /// The key's own PIN opens the vault that holds the password.
    case pin
}

/// The stage of a key. Each step is stored before it is carried out.
package enum UserKeyStage: String, Codable, Hashable, Sendable, CaseIterable {
    /// The key is being created, or was never sent: no server can have it.
    case made
    /// The key was sent, and it is not known whether the server has accepted it.
    case offered
    /// The ceremony that sent the key has succeeded.
    case accepted
    /// A ceremony that the key signed has succeeded.
    case proved
    /// The key is being removed. Every call that finds it finishes the removal.
    case leaving

    /// The priority of the key when one of the user's keys is chosen to sign; the highest is chosen. Nil for a key that
    /// must not sign.
    ///
    /// A new key comes before the one that it replaces. A key that the server may not have comes last.
    var rank: Int? {
        switch self {
        case .accepted: 3
        case .proved: 2
        case .offered: 1
        case .made, .leaving: nil
        }
    }
}
