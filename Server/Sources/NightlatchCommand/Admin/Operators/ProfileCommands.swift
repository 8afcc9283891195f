import ArgumentParser
import Foundation
import NightlatchProgram
import NightlatchRelyingParty
import NightlatchWire

/// `nightlatch admin users set-profile`
struct SetProfileCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set-profile",
        abstract: "Change the members of a user's profile that the options name.",
        discussion: """
            Apps get the members that their scopes ask for: profile, email and phone. An empty text removes a member.
            """)

    @OptionGroup var user: ProfileOptions

    @Option(help: "The full name.")
    var name: String?

    @Option(help: "The given name.")
    var givenName: String?

    @Option(help: "The family name.")
    var familyName: String?

    @Option(help: "The email address. Apps learn that it is not verified, unless --email-verified is given.")
    var email: String?

    @Flag(help: "Someone has verified that the user receives messages at --email.")
    var emailVerified = false

    @Option(help: "The telephone number.")
    var phoneNumber: String?

    func run() async throws {
        let id = try user.id()
        let changes = try changes()
        user.print(
            try await user.options.administer { administration throws(AdministrationError) in
                try await administration.changeProfile(of: id) { profile in
                    changes.reduce(into: profile) { profile, change in change(&profile) }
                }
            }, of: id)
    }

    private func changes() throws(CommandFailure) -> [(inout UserProfile) -> Void] {
        let address: EmailAddress? = try email.flatMap { text throws(CommandFailure) in
            try Self.value(text, of: "--email")
        }
        if emailVerified && address == nil {
            throw CommandFailure(.usage, "--email-verified needs the address in --email.")
        }
        var changes = [
            try Self.change(\.name, to: name, of: "--name"),
            try Self.change(\.givenName, to: givenName, of: "--given-name"),
            try Self.change(\.familyName, to: familyName, of: "--family-name"),
            try Self.change(\.phoneNumber, to: phoneNumber, of: "--phone-number"),
        ].compactMap(\.self)
        if email != nil {
            let value = address.map { UserProfile.Email($0, isVerified: emailVerified) }
            changes.append { $0.email = value }
        }
        if changes.isEmpty { throw CommandFailure(.usage, "No option names a member to change.") }
        return changes
    }

    /// The change of one member; nil if its option was not given.
    private static func change<Rule>(
        _ member: WritableKeyPath<UserProfile, Identifier<Rule>?>, to text: String?, of option: String
    ) throws(CommandFailure) -> ((inout UserProfile) -> Void)? {
        guard let text else { return nil }
        let value: Identifier<Rule>? = try value(text, of: option)
        return { $0[keyPath: member] = value }
    }

    /// The value of an option; nil for an empty text.
    private static func value<Rule>(
        _ text: String, of option: String
    ) throws(CommandFailure) -> Identifier<Rule>? {
        if text.isEmpty { return nil }
        guard let value = Identifier<Rule>(rawValue: text) else {
            throw CommandFailure(.usage, "\(option) must be \(Rule.requirement).")
        }
        return value
    }
}

/// `nightlatch admin users remove-profile`
struct RemoveProfileCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove-profile",
        abstract: "Remove a user's profile. The user stays.")

    @OptionGroup var user: ProfileOptions

    func run() async throws {
        let id = try user.id()
        user.print(
            try await user.options.administer { administration throws(AdministrationError) in
                try await administration.changeProfile(of: id) { _ in nil }
            }, of: id)
    }
}

/// The argument that selects a user, and the output format.
struct ProfileOptions: ParsableArguments {
    @Argument(help: "The user's id.")
    var user: String

    @Flag(help: "Print one line of JSON.")
    var json = false

    @OptionGroup var options: DatabaseOptions

    func id() throws(CommandFailure) -> UserID { try BackendOptions.user(user) }

    /// Prints a user's profile after a change.
    func print(_ stored: StoredProfile?, of user: UserID) {
        if let stored, json { return ProfileReport(stored, of: user).printJSON() }
        if let stored { return Table(of: stored).print() }
        StandardStream.writeLine(json ? "{}" : "\(user)  has no profile", to: .standardOutput)
    }
}

extension Table {
    init(of stored: StoredProfile) {
        self.init("MEMBER", "VALUE")
        for (member, value) in stored.profile.facts { add(member.rawValue, value) }
        add("updated_at", stored.updatedAt.shown)
        add("revision", String(stored.revision))
    }
}
