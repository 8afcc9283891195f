import ArgumentParser
import Foundation
import NightlatchProgram
import NightlatchRelyingParty

/// `nightlatch admin forget-signing-keys`: removes the signing keys after the master key was lost.
struct ForgetSigningKeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget-signing-keys",
        abstract: "Forget the keys that sign access tokens, whose master key is lost.",
        discussion: """
            Stop every server of the database first. The next server that starts creates a new key under its master key. \
            Issued access tokens become invalid. Devices stay bound, and their refresh tokens stay valid. With another \
            master key than before, enrolment codes and two-party PINs become invalid too.
            """
    )

    @OptionGroup var options: DatabaseOptions

    func run() async throws {
        let count = try await options.withStore { try await $0.store.forgetSigningKeys() }
        StandardStream.writeLine("forgot \(count) signing \(count == 1 ? "key" : "keys")", to: .standardOutput)
    }
}
