import Foundation
import Subprocess
import Testing

@Suite("The demonstration")
struct DemoTests {
    private struct Line: Decodable {
        let ok: Bool
        let name: String?
        let step: Int?
        let checked: String?
        let failure: String?
    }

    private func lines(_ output: String) throws -> [Line] {
        try output.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }

    @Test("plays every step, says of each what was checked, and ends with 0")
    func story() async throws {
        let outcome = try await Nightlatch.run("demo", "--script", "--key-derivation", "pbkdf2", "--json")
        let lines = try lines(outcome.output)
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        #expect(lines.count == 18)
        #expect(lines.dropLast().map(\.step) == Array(1...17))
        #expect(lines.allSatisfy { $0.ok })
        #expect(lines.dropLast().allSatisfy { $0.checked?.isEmpty == false })
    }

    @Test("ends at the first step that fails, with another status than 0")
    func failure() async throws {
        // Without a search path nothing finds openssl, which the sixth step needs.
        let outcome = try await Nightlatch.run(
            "demo", "--script", "--key-derivation", "pbkdf2", "--json",
            environment: .inherit.updating(["PATH": "/nowhere"]))
        let lines = try lines(outcome.output)
        #expect(outcome.status == 1)
        #expect(lines.count == 7)
        #expect(lines.prefix(5).allSatisfy { $0.ok })
        #expect(lines[5].ok == false && lines[5].failure?.contains("openssl") == true)
        #expect(lines[6].ok == false && lines[6].step == nil)
    }

    @Test("leaves no server behind")
    func cleanUp() async throws {
        let outcome = try await Nightlatch.run("demo", "--script", "--key-derivation", "pbkdf2")
        let process = try #require(outcome.output.firstMatch(of: /serves again as process (\d+)/)?.1)
        #expect(!FileManager.default.fileExists(atPath: "/proc/\(process)"))
    }
}
