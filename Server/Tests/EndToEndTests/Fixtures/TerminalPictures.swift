import Foundation
import Subprocess

#if canImport(System)
import System
#else
import SystemPackage
#endif

/// Pictures of a terminal, drawn by the browser of the other tests.
enum TerminalPictures {
    struct NotDrawn: Error {
        let output: String
    }

    /// Draws a light and a dark picture.
    ///
    /// - Parameters:
    ///   - styledText: The terminal's text, with its sequences for colours and weights.
    ///   - name: The base name of the pictures in `.build/screenshots/terminal`.
    static func draw(_ styledText: String, as name: String) async throws {
        let root = PythonEnvironment.root
        let folder = try TemporaryFolder()
        let file = folder.path + "/screen"
        try styledText.write(toFile: file, atomically: true, encoding: .utf8)
        let result = try await Subprocess.run(
            .path(FilePath(PythonEnvironment.python)),
            arguments: [root + "/Server/Tests/Browser/terminal.py", file, root + "/.build/screenshots/terminal", name],
            output: .string(limit: 1 << 16), error: .string(limit: 1 << 20))
        guard case .exited(0) = result.terminationStatus else {
            throw NotDrawn(output: result.standardError)
        }
    }
}
