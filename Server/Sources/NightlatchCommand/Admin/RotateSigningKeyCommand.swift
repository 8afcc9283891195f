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
        let masterKey = try masterKeyOptions.masterKey()
        let key = try await options.withStore {
            try await $0.store.rotateSigningKey(
                under: masterKey, now: WallClock.system.now(), by: .operator)
        }
        StandardStream.writeLine(
            "key \(key.id) signs from \(key.activeFrom.date.formatted(.iso8601)) on", to: .standardOutput)
    }
}
