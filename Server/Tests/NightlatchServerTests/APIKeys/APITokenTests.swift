import Foundation
import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Tokens and scopes of API keys")
struct APITokenTests {
    @Test("A token has its prefix, the key's id and a secret, in 80 characters, and is read back")
    func form() throws {
        let id = APIKeyID.random()
        let token = APIToken.random(for: id)
        #expect(token.rawValue.hasPrefix("nlk_\(id.rawValue)_") && token.rawValue.utf8.count == 80)
        #expect(token.keyID == id)
        #expect(APIToken(rawValue: token.rawValue) == token)
        #expect(APIToken.random(for: id).hash != token.hash)
        // The client's backend key, which is any opaque token, can have it.
        #expect(BackendKey(rawValue: token.rawValue) != nil)
    }

    @Test(
        "Any other text is no token",
        arguments: [
            "", "nlk_", "x", "TOKEN ", " TOKEN", "TOKEN\n", "TOKENA", "nlk_TOKEN", "Bearer TOKEN",
        ])
    func malformed(text: String) {
        let token = APIToken.random(for: .random()).rawValue
        #expect(APIToken(rawValue: text.replacing("TOKEN", with: token)) == nil)
        #expect(APIToken(rawValue: String(token.dropLast())) == nil)
    }

    @Test("A token with a changed character is no token, or has another id or another hash")
    func changed() throws {
        let token = APIToken.random(for: .random())
        for index in token.rawValue.indices {
            for other in "aB0_-".unicodeScalars where token.rawValue.unicodeScalars[index] != other {
                var text = token.rawValue
                text.replaceSubrange(index...index, with: String(other))
                guard let changed = APIToken(rawValue: text) else { continue }
                #expect(changed.keyID != token.keyID || changed.hash != token.hash, "\(index)")
            }
        }
    }

    @Test("Nothing but the raw value shows a token")
    func secrecy() {
        let token = APIToken.random(for: .random())
        let secret = String(token.rawValue.suffix(43))
        var dumped = ""
        dump(token, to: &dumped)
        for text in ["\(token)", String(reflecting: token), dumped] { #expect(!text.contains(secret), "\(text)") }
    }

    @Test("A key accepts only its own token: not another secret, another key's token, or a token after its end")
    func accepted() throws {
        let token = APIToken.random(for: .random())
        let name = try #require(APIKeyName(rawValue: "shop"))
        func stored(end: Int? = nil, revoked: Bool = false, at second: Int = 0) -> StoredAPIKey {
            StoredAPIKey(
                key: APIKey(
                    id: token.keyID, name: name, scopes: [.usersRead], createdAt: TestTime.start,
                    expiresAt: end.map { TestTime.start + .seconds($0) }, revokedAt: revoked ? TestTime.start : nil),
                hash: token.hash, readAt: TestTime.start + .seconds(second))
        }
        #expect(stored().accepts(token))
        #expect(!stored().accepts(.random(for: token.keyID)))
        #expect(!stored().accepts(.random(for: .random())))
        #expect(!stored(revoked: true).accepts(token))
        #expect(stored(end: 5, at: 5).accepts(token))
        #expect(!stored(end: 5, at: 6).accepts(token))
        let text = try #require(APIToken(rawValue: "nlk_\(APIKeyID.random())_\(token.rawValue.suffix(43))"))
        #expect(text.hash == token.hash && !stored().accepts(text))
    }

    @Test("Scopes are stored by name; names that this version does not know open nothing")
    func scopes() {
        #expect(Set(APIScope.allCases.map(\.rawValue)).count == APIScope.allCases.count)
        #expect(Set<APIScope>([.usersRead, .appsRead]).document == "apps:read users:read")
        #expect(Set(document: "users:read from:tomorrow apps:read") == [.usersRead, .appsRead])
        #expect(Set(document: Set(APIScope.allCases).document) == Set(APIScope.allCases))
        #expect(Set(document: "").isEmpty)
        for scope in APIScope.allCases {
            #expect(scope.summary.hasSuffix("."), "\(scope)")
            #expect(APIScopeName(rawValue: scope.rawValue) != nil, "\(scope)")
        }
    }
}
