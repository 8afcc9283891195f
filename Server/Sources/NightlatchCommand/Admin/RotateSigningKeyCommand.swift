import ArgumentParser
import Foundation
import NightlatchProgram
import NightlatchRelyingParty
import NightlatchWire

/// `nightlatch admin rotate-signing-key`: replaces the key that signs access tokens.
struct RotateSigningKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate-signing-key",
        abstract: "Have another key sign access tokens, without breaking one that lives.",
        discussion: """
            Servers of the database may run on: they publish the new key within a minute, sign with it from seven minutes after this \
            command on, and go on publishing the old one until the last token by it has expired. Said twice within these minutes, \
            it names the same key.
            """
    )

    @OptionGroup var options: DatabaseOptions
    @OptionGroup var masterKeyOptions: MasterKeyOptions

    func run() async throws {
        let masterKey = try masterKeyOptions.masterKey()
        let key = try await options.withStore {
            try await $0.store.rotateSigningKey(under: masterKey, now: WallClock.system.now())
        }
        StandardStream.writeLine(
            "key \(key.id) signs from \(key.activeFrom.date.formatted(.iso8601)) on", to: .standardOutput)
    }
}
