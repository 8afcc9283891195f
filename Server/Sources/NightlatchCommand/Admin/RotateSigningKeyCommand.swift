import ArgumentParser
import Foundation
import NightlatchProgram
import NightlatchRelyingParty
import NightlatchWire

/// `nightlatch admin rotate-signing-key`: replaces the key that signs access tokens.
struct RotateSigningKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate-signing-key",
        abstract: "Replace the key that signs access tokens. Issued tokens stay valid.",
        discussion: """
            Servers can keep running. They publish the new key within a minute, sign with it seven minutes after this \
            command, and publish the old key until its last token has expired. A second command within these minutes \
            prints the same key.
            """
    )

    @OptionGroup var options: DatabaseOptions
    @OptionGroup var masterKeyOptions: MasterKeyOptions

    func run() async throws {
        _ = try masterKeyOptions.keyring()
        let database = try options.address()
        let key = try await options.withStore { opened in
            let secrets = try await masterKeyOptions.secrets(in: opened, at: database)
            do throws(SigningKeyRotationError) {
                return try await opened.store.rotateSigningKey(
                    sealingBy: secrets.keyring, now: WallClock.system.now(), by: .operator)
            } catch {
                throw CommandFailure(error, database: database)
            }
        }
        StandardStream.writeLine(
            "key \(key.id) signs from \(key.activeFrom.date.formatted(.iso8601)) on", to: .standardOutput)
    }
}
