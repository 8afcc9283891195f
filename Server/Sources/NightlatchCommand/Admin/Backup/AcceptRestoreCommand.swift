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
            Users log in again with their PIN. It cannot know which devices were blocked or revoked since, and how many \
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

    func validate() throws {
        guard !heads.isEmpty else { throw ValidationError("Name the file of heads of each server with --heads.") }
    }

    func run() async throws {
        let key = AuditKey(masterKey: try masterKeyOptions.masterKey())
        let files = heads.map(AuditHeadFile.init)
        var standing: [AuditHead] = []
        for file in files {
            do {
                standing += try file.read(signedBy: key.publicKey).standingHeads
            } catch {
                throw CommandFailure(.unavailable, "cannot read \(file.path): \(error.reason).")
            }
        }
        let exported = standing
        try await options.withStore { opened in
            let findings = try await opened.store.setbacks(from: exported)
            guard !findings.isEmpty else {
                StandardStream.writeLine(
                    "The database is not older than \(heads.joined(separator: ", ")) says. Nothing was changed.",
                    to: .standardOutput)
                return
            }
            let effects = try await opened.store.acceptRestore()
            try await record(in: files, under: key, of: opened.store)
            for line in findings.map(\.description) + Self.lines(of: effects) {
                StandardStream.writeLine(line, to: .standardOutput)
            }
        }
    }

    /// Appends the acceptance to each file, and the heads of the database as it now is.
    private func record(in files: [AuditHeadFile], under key: AuditKey, of store: any RelyingPartyStore) async throws {
        let now = WallClock.system.now()
        let lines = [try key.signRestore(at: now)] + (try await store.auditHeads().map { try key.sign($0, at: now) })
        for file in files {
            do {
                try file.append(lines)
            } catch {
                throw CommandFailure(
                    .unavailable, "cannot write \(file.path): \(error.reason). Run the same command again.")
            }
        }
    }

    private static func lines(of effects: RestoreEffects) -> [String] {
        [
            "ended: logins \(effects.logins), access of apps \(effects.appGrants), sessions of journeys "
                + "\(effects.journeySessions), unused enrolment codes \(effects.enrolmentCodes), pending transactions "
                + "\(effects.transactions), logins in a browser \(effects.remoteLogins)",
            "as in the copy, please check: devices that were blocked or revoked since are active again; passwords, "
                + "profiles and apps are those of the copy",
            "refilled: the guesses at up to \(effects.twoPartyPins) two-party PINs, whose keys are back if they were "
                + "destroyed since; the attempts at passwords",
            "accepted. Servers start on this database again.",
        ]
    }
}
