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

    static let acceptTokens = Article(
        path: "Server/Sources/NightlatchResourceServer/NightlatchResourceServer.docc/AcceptTokensInYourServer.md",
        file: "AcceptTokens.swift")
    static let embedding = Article(
        path: "Server/Sources/NightlatchServer/NightlatchServer.docc/EmbeddingARelyingParty.md",
        file: "EmbeddedParty.swift")
    static let articles = [
        acceptTokens,
        embedding,
        Article(
            path: "Sources/NightlatchTwoPartyPin/NightlatchTwoPartyPin.docc/ATwoPartyPinInYourApp.md",
            file: "TwoPartyWallet.swift", printingBlockCount: 1),
    ]

    @Test("An article contains exactly the code of its test", arguments: articles)
    func code(article: Article) throws {
        let blocks = try Self.blocks("swift", of: article)
        let tested = try String(contentsOf: Self.folder.appending(path: article.file), encoding: .utf8)
        #expect(blocks.dropLast(article.printingBlockCount).joined(separator: "\n") == tested)
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

    /// The article's blocks of a language.
    static func blocks(_ language: String, of article: Article) throws -> [String] {
        let text = try String(contentsOf: folder.appending(path: "../../../../\(article.path)"), encoding: .utf8)
        return text.components(separatedBy: "```\(language)\n").dropFirst().map {
            $0.components(separatedBy: "```")[0]
        }
    }
}
