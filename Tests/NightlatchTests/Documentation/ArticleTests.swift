import Foundation
import Testing

/// The code of these articles is also compiled here, where its tests are.
@Suite("Code of articles")
struct ArticleTests {
    struct Article: CustomTestStringConvertible, Sendable {
        let path: String
        /// The file beside this one with the article's code.
        let file: String
        /// The number of blocks at the article's end that print what they do, and are not in the file.
        var printingBlockCount = 0

        var testDescription: String { path }
    }

    static let articles = [
        Article(
            path: "Nightlatch/Nightlatch.docc/MigratingFromAPinInTheKeychain.md", file: "PinMigration.swift",
            printingBlockCount: 1),
        Article(
            path: "Nightlatch/Nightlatch.docc/MigratingFromLocalAuthentication.md", file: "FaceMigration.swift",
            printingBlockCount: 1),
        Article(
            path: "Nightlatch/Nightlatch.docc/MigratingFromAnotherSDK.md", file: "SDKMigration.swift",
            printingBlockCount: 1),
        Article(path: "NightlatchTesting/NightlatchTesting.docc/TestYourApp.md", file: "TestYourApp.swift"),
    ]

    @Test("An article contains exactly the code of its test", arguments: articles)
    func code(article: Article) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let text = try String(
            contentsOf: folder.appending(path: "../../../Sources/\(article.path)"), encoding: .utf8)
        let blocks = text.components(separatedBy: "```swift\n").dropFirst().map {
            $0.components(separatedBy: "```")[0]
        }
        let tested = try String(contentsOf: folder.appending(path: article.file), encoding: .utf8)
        #expect(blocks.dropLast(article.printingBlockCount).joined(separator: "\n") == tested)
    }
}
