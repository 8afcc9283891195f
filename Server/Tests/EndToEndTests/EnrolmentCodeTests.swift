import Foundation
import NightlatchWire
import Subprocess
import Testing

@Suite("Enrolment codes", .timeLimit(.minutes(10)))
struct EnrolmentCodeTests {
    @Test("A scanner reads the enrolment code from the QR code that --qr prints")
    func qr() async throws {
        let folder = try TemporaryFolder()
        try await ServerProcess.run(in: folder) { server in
            let told = try await Nightlatch.run(
                "admin", "enrolment-code", "--user", "alice", "--server", server.url, "--backend-key-file",
                server.folder + "/backend.key", "--qr")
            #expect(told.status == 0, "\(told.errors)")
            let lines = told.output.split(separator: "\n").map(String.init)
            let code = try #require(lines.first)
            #expect(EnrolmentCode(code) != nil)
            let picture = folder.path + "/code.pbm"
            try bitmap(of: Array(lines.dropFirst())).write(toFile: picture, atomically: true, encoding: .utf8)
            let scanned = try await Subprocess.run(
                .name("zbarimg"), arguments: ["--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", picture],
                output: .string(limit: 1_024), error: .string(limit: 1_024))
            #expect(scanned.standardOutput == code + "\n", "\(scanned.standardError)")
        }
    }

    /// Draws these lines as a terminal does, as a portable bitmap with squares of eight pixels for the modules.
    private func bitmap(of lines: [String]) throws -> String {
        var rows: [String] = []
        for line in lines {
            // The colours of the line: black characters on white.
            let text = try #require(line.wholeMatch(of: #/\u{1B}\[30;107m(.*)\u{1B}\[0m/#)?.output.1)
            rows.append(String(text.map { "█▀".contains($0) ? "1" : "0" }))
            rows.append(String(text.map { "█▄".contains($0) ? "1" : "0" }))
        }
        let width = try #require(rows.first).count
        let enlarged = rows.flatMap { row in
            Array(repeating: row.map { String(repeating: $0, count: 8) }.joined(), count: 8)
        }
        return "P1\n\(width * 8) \(enlarged.count)\n" + enlarged.joined(separator: "\n") + "\n"
    }
}
