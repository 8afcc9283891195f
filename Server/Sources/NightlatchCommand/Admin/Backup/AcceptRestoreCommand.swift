import ArgumentParser
import Foundation
import NightlatchProgram
import NightlatchRelyingParty
import NightlatchWire

/// `nightlatch admin accept-restore`
struct AcceptRestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept-restore",
        abstract: "Accept a database that was restored from an older copy, so that servers start on it.",
        discussion: """
            `nightlatch serve --audit-heads-file` does not start on a database that is older than the heads in the file. \
            Stop every server of the database first. This command ends what may have ended since the copy was made: \
            logins, sessions, access of apps, unused enrolment codes, and pending transactions and logins in a browser. \
            It revokes all API keys. Users log in again with their PIN. It cannot know which devices were blocked or revoked since, and how many \
            guesses were made: it says what you have to check.
            """
    )

    @OptionGroup var options: DatabaseOptions
    @OptionGroup var masterKeyOptions: MasterKeyOptions

    @Option(
        help: ArgumentHelp(
            "The file of `nightlatch serve --audit-heads-file`; can be repeated, one for each server.",
            valueName: "file"))
    var heads: [String] = []

    @Flag(help: "End the same if no file of heads shows that the database is older.")
    var withoutHeads = false

    func validate() throws {
        guard !heads.isEmpty || withoutHeads else {
            throw ValidationError("Name the file of heads of each server with --heads, or pass --without-heads.")
        }
    }

    func run() async throws {
        _ = try masterKeyOptions.keyring()
        let database = try options.address()
        let key = try await options.withStore { opened in
            AuditKey(try await masterKeyOptions.secrets(in: opened, at: database).kept)
        }
        let files = heads.map(AuditHeadFile.init)
        var standing: [AuditHead] = []
        for file in files { standing += try Self.standingHeads(in: file, signedBy: key) }
        let exported = standing
        try await options.withStore { opened in
            let missing = try await opened.store.missing(exported)
            guard !missing.isEmpty || withoutHeads else {
                StandardStream.writeLine(
                    "The database has all heads of \(heads.joined(separator: ", ")). Nothing was changed. If you have "
                        + "restored it all the same, pass --without-heads.", to: .standardOutput)
                return
            }
            // Before the logins end, so that a file that cannot be written costs nothing.
            for file in files { try Self.append([], to: file) }
            let effects = try await opened.store.acceptRestore()
            let now = WallClock.system.now()
            let lines =
                try await opened.store.auditHeads().map { try key.sign($0, at: now) }
                + missing.map { try key.sign(lost: $0.head, at: now) }
            for file in files { try Self.append(lines, to: file) }
            for line in missing.map(\.finding.description) + Self.lines(of: effects) {
                StandardStream.writeLine(line, to: .standardOutput)
            }
        }
    }

    private static func standingHeads(
        in file: AuditHeadFile, signedBy key: AuditKey
    ) throws(CommandFailure) -> [AuditHead] {
        let contents: AuditHeadFile.Contents
        do {
            contents = try file.read(signedBy: key.publicKey)
        } catch {
            throw CommandFailure(
                .unavailable, "cannot read \(file.path): \(error.reason). If the file is lost, pass --without-heads.")
        }
        guard !contents.isForeign else {
            throw CommandFailure(
                .refused,
                "no line of \(file.path) is signed under this master key. Name the master key of the server that wrote it."
            )
        }
        return contents.standingHeads
    }

    private static func append(_ lines: [String], to file: AuditHeadFile) throws(CommandFailure) {
        do {
            try file.append(lines)
        } catch {
            throw CommandFailure(
                .unavailable,
                "cannot write \(file.path): \(error.reason). Correct that, and run the same command again.")
        }
    }

    private static func lines(of effects: RestoreEffects) -> [String] {
        [
            "ended: logins \(effects.logins), access of apps \(effects.appGrants), sessions of journeys "
                + "\(effects.journeySessions), unused enrolment codes \(effects.enrolmentCodes), pending transactions "
                + "\(effects.transactions), logins in a browser \(effects.remoteLogins)",
            "revoked: all \(effects.apiKeys) API keys. Create new ones with nightlatch admin api-keys create, and give them "
                + "to the backends and programs",
            "as in the copy, please check: devices and keys of journeys that were blocked, revoked or removed since are "
                + "active again; devices bound since are unknown; passwords, profiles and apps are those of the copy",
            "valid again until they expire: access tokens of apps that were revoked since, and console sessions that were "
                + "signed out since (a new admin key ends these)",
            "as in the copy: the signing keys. If one was replaced since because it was stolen: nightlatch admin "
                + "rotate-signing-key",
            "refilled: the guesses at up to \(effects.twoPartyPins) two-party PINs, whose keys are back if they were "
                + "destroyed since; the attempts at passwords",
            "delivered again: \(effects.policies) policies of apps and users, also to devices with a policy that was set "
                + "since",
            "accepted. Servers start on this database again.",
        ]
    }
}
