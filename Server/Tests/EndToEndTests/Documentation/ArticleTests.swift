import Foundation
import Testing

/// The code of these articles is also compiled here, where its tests are.
@Suite("Code of articles")
struct ArticleTests {
    @Test(
        "An article contains exactly the code of its test",
        arguments: [
            (
                "Server/Sources/NightlatchResourceServer/NightlatchResourceServer.docc/AcceptTokensInYourServer.md",
                "AcceptTokens.swift"
            ),
            (
                "Sources/NightlatchTwoPartyPin/NightlatchTwoPartyPin.docc/ATwoPartyPinInYourApp.md",
                "TwoPartyWallet.swift"
            ),
        ])
    func code(article: String, file: String) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let text = try String(contentsOf: folder.appending(path: "../../../../\(article)"), encoding: .utf8)
        let blocks = text.components(separatedBy: "```swift\n").dropFirst().map {
            $0.components(separatedBy: "```")[0]
        }
        let tested = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
        #expect(blocks.joined(separator: "\n") == tested)
    }
}
