package import NightlatchWire

/// What is known of one key that serves one user at one server. It holds nothing secret.
package struct UserKeyEntry: Codable, Hashable, Sendable {
    /// Under which tag the key, and what protects it, are kept.
    package let tag: KeyTag
    /// The key's name on the wire, new for every key.
    package let keyID: String
    package let owner: UserKeyOwner
    /// What to call the user on a screen.
    package let userName: String
    /// What to call the key on a screen.
    package var name: String
    /// What the app calls the key; it never leaves the device.
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

    /// The greatest size of a text in it.
    static let textByteCountLimit = 1024

    var isPossible: Bool {
        let texts = [keyID, owner.server, owner.user, userName, name, label ?? ""]
        return texts.allSatisfy { $0.utf8.count <= Self.textByteCountLimit } && !keyID.isEmpty && !owner.user.isEmpty
    }
}

/// Whose key it is. The same name at two servers is two users.
package struct UserKeyOwner: Codable, Hashable, Sendable {
    /// The server with its realm.
    package let server: String
    /// The user's identity there.
    package let user: String

    package init(server: String, user: String) {
        self.server = server
        self.user = user
    }
}

/// What must be done before the key signs.
package enum UserKeyProtection: String, Codable, Hashable, Sendable, CaseIterable {
    /// Nothing.
    case none
    /// Biometrics release the key's application password.
    case biometrics
    /// Biometrics or the device's passcode release it.
    case biometricsOrPasscode = "biometrics_or_passcode"
    /// A PIN of the key's own opens the vault that holds it.
    case pin
}

/// How far a key has come. What is about to be done is written before it is done.
package enum UserKeyStage: String, Codable, Hashable, Sendable, CaseIterable {
    /// It is being made, or was never sent: no server can have it.
    case made
    /// It was sent, and it is not known whether the server has taken it.
    case offered
    /// The ceremony in which it was sent has succeeded.
    case accepted
    /// A ceremony has succeeded with a signature by it.
    case proved
    /// It is being removed. Whoever finds it finishes that.
    case leaving

    /// Which of a user's keys signs: a new one before the one that it is to replace, one that a server may not have only if there
    /// is no other. Nil for one that must not.
    var rank: Int? {
        switch self {
        case .accepted: 3
        case .proved: 2
        case .offered: 1
        case .made, .leaving: nil
        }
    }
}
