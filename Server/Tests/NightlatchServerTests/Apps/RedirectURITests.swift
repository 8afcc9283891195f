import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Redirect URIs")
struct RedirectURITests {
    @Test(
        "An https URL, an http URL of this machine, and a URI of a private-use scheme are accepted as they are",
        arguments: [
            "https://app.example/callback", "https://app.example", "https://app.example:8443/a/b?tenant=1&x=%20",
            "https://app.example/a..b/.c/d.", "https://[2001:db8::1]:8443/", "https://xn--bcher-kva.example/",
            "http://127.0.0.1/callback", "http://127.0.0.1:52000/callback", "http://[::1]:8081/",
            "http://localhost:8081",
            "org.forgerock.demo://oauth2redirect", "org.forgerock.demo:/oauth2redirect", "app:/oauth2redirect",
            "frauth://com.forgerock.ios.frexample", "com.example.mfasample://oauth2redirect",
            "https://app.example/" + String(repeating: "a", count: 1980),
        ])
    func good(text: String) throws {
        let uri = try #require(RedirectURI(rawValue: text))
        #expect(uri.rawValue == text)
    }

    @Test(
        "Every other text is refused",
        arguments: [
            // No absolute URI of an app.
            "", "app.example", "/callback", "//app.example/callback", "?code=1", "https:", "https://", "https:///path",
            "https:app.example", "com.example.app:", "com.example.app://", "http://", "://app.example",
            // Schemes that run or show content, or start another program.
            "javascript:alert(1)", "data:text/html,x", "vbscript:x", "file:///etc/passwd", "about:blank",
            "blob:https://a",
            "intent://scan/#Intent;end", "intent://scan/", "mailto:a@b.example", "ws://a.example",
            "view-source:https://a",
            // Other spellings.
            "HTTPS://app.example/", "Https://app.example/", "JavaScript:alert(1)", "Com.Example.App:/callback",
            // A plain connection to another machine.
            "http://app.example/callback", "http://127.0.0.1.app.example/", "http://127.0.0.2/",
            "http://localhost.example/",
            "http://2130706433/", "http://[::2]/", "http://0.0.0.0/", "http://127.1/",
            // A fragment, also an empty one.
            "https://app.example/#", "https://app.example/#a", "com.example.app:/callback#a",
            // User information, which shows another host to a reader.
            "https://bank.example@app.example/", "https://a:b@app.example/", "https://@app.example/",
            "http://127.0.0.1@app.example/",
            // Dot segments.
            "https://app.example/a/../b", "https://app.example/..", "https://app.example/./b",
            "https://app.example/a/.",
            "https://app.example/a/%2e%2e/b", "https://app.example/a/%2E./b", "https://app.example/.%2E",
            "com.example.app:/a/../b",
            // Ports.
            "https://app.example:65536/", "https://app.example:99999/", "https://app.example:0/",
            "https://app.example:/",
            "https://app.example:-1/", "https://app.example:+1/", "https://app.example:0443/",
            "https://app.example:8a/",
            "https://app.example:99999999999999999999/", "https://[::1]:65536/", "http://127.0.0.1:65536/",
            // Characters that a URI does not have.
            "https://app.example/a b", " https://app.example/", "https://app.example/\n",
            "https://app.example/\r\nA: b",
            "https://app.example/\t", "https://app.example/\u{0}", #"https://app.example\@evil.example/"#,
            "https://bücher.example/", "https://app.example/ü", "https://app.example/%", "https://app.example/%zz",
            "https://app.example/\"x", "https://app.example/<x>", "https://app.example/`", "https://app.example/{x}",
            "https://[::1", "https://[::g]/", "https://a]/",
            // 2,001 bytes.
            "https://app.example/" + String(repeating: "a", count: 1981),
        ])
    func bad(text: String) {
        #expect(RedirectURI(rawValue: text) == nil)
    }

    @Test("A request must name the registered URI byte for byte")
    func exact() throws {
        var app = try TestApp.new("web")
        app.redirectURIs = try [
            "https://app.example/callback", "com.example.app:/callback", "http://localhost:8081/callback",
        ].map(TestApp.uri)
        for uri in app.redirectURIs { #expect(app.permits(uri)) }
        for text in [
            "https://app.example/callback/", "https://app.example/Callback", "https://app.example/callback?a=1",
            "https://app.example/callback?", "https://app.example:443/callback", "https://APP.example/callback",
            "https://app.example/call%62ack", "https://app.example.evil.example/callback",
            "https://app.example//callback",
            "com.example.app://callback", "com.example.app:/callback2", "com.example.app2:/callback",
            "http://localhost:8082/callback", "http://localhost/callback", "http://127.0.0.1:8081/callback",
        ] {
            let uri = try TestApp.uri(text)
            #expect(!app.permits(uri), "\(text)")
        }
    }

    @Test("Only the port of a loopback address may differ from the registered one")
    func loopback() throws {
        var app = try TestApp.new("desktop")
        app.redirectURIs = try ["http://127.0.0.1/callback?a=1", "http://[::1]:1234/callback"].map(TestApp.uri)
        for text in [
            "http://127.0.0.1/callback?a=1", "http://127.0.0.1:1/callback?a=1", "http://127.0.0.1:65535/callback?a=1",
            "http://[::1]/callback", "http://[::1]:9/callback",
        ] {
            let uri = try TestApp.uri(text)
            #expect(app.permits(uri), "\(text)")
        }
        for text in [
            "http://127.0.0.1:1/callback", "http://127.0.0.1:1/callback?a=2", "http://127.0.0.1:1/?a=1",
            "http://[::1]:9/callback?a=1", "http://[::1]:9/Callback", "http://localhost:1/callback?a=1",
            "https://127.0.0.1:1/callback?a=1", "https://[::1]:1234/callback",
        ] {
            let uri = try TestApp.uri(text)
            #expect(!app.permits(uri), "\(text)")
        }
    }

    @Test("Fields are added to the query of a URI, with each reserved byte escaped")
    func adding() throws {
        let fields = [(name: "code", value: "a b+c&d=e/ü"), (name: "state", value: "")]
        let query = "code=a%20b%2Bc%26d%3De%2F%C3%BC&state="
        #expect(try TestApp.uri("com.example.app:/callback").adding(fields) == "com.example.app:/callback?" + query)
        #expect(try TestApp.uri("https://app.example?a=1").adding(fields) == "https://app.example?a=1&" + query)
    }
}
