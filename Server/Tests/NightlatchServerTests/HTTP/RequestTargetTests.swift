import Testing

@Suite("The target of a request")
struct RequestTargetTests {
    @Test(
        "The target is a path as written, or the path of a whole URL",
        arguments: [
            ("/any", "/any"), ("/", "/"), ("/any?query#fragment", "/any"), ("//host/any", "//host/any"),
            ("/a:b/c", "/a:b/c"), ("/%41", "/%41"), ("http://other.example/any", "/any"), ("http://other.example", "/"),
        ])
    func target(target: String, path: String) async throws {
        try await TestConnection.with { connection in
            let answer = try await connection.send(TestConnection.request(target))
            #expect(answer.hasPrefix("HTTP/1.1 200 "))
            #expect(answer.hasSuffix("\r\n\r\n" + path))
        }
    }

    @Test(
        "A target with other characters than visible ASCII is refused before routing",
        arguments: ["/é", "/a\u{323}\u{302}"])
    func notASCII(target: String) async throws {
        try await TestConnection.with { connection in
            let answer = try await connection.send(TestConnection.request(target))
            #expect(answer.hasPrefix("HTTP/1.1 400 "))
        }
    }
}
