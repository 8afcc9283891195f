import Foundation
import Testing

#if canImport(NightlatchServerFuzzing)
import NightlatchServerFuzzing
#else
import NightlatchFuzzing
#endif

/// Tests the corpus of both packages: the server's package links to this file and has its own targets and corpus.
@Suite("The fuzz targets' corpus")
struct CorpusTests {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fuzz/Corpus")

    @Test(
        "Every input of a corpus keeps its target's invariants; some inputs are accepted, some refused",
        arguments: FuzzTarget.allCases)
    func corpus(target: FuzzTarget) async throws {
        let inputs = try FileManager.default.contentsOfDirectory(
            at: Self.folder.appending(path: target.rawValue), includingPropertiesForKeys: nil)
        var answers: [Bool: Int] = [:]
        for input in inputs {
            let bytes = Array(try Data(contentsOf: input))
            do {
                answers[try await target.check(bytes), default: 0] += 1
            } catch {
                Issue.record("\(input.lastPathComponent): \(error)")
            }
        }
        // Without enough inputs the test would prove nothing, for example if the corpus had moved.
        #expect(answers[true, default: 0] >= 8 && answers[false, default: 0] >= 8, "\(answers)")
    }
}
