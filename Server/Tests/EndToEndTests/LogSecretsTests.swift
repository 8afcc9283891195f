import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchWire
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Secrets in the log", .timeLimit(.minutes(10)))
struct LogSecretsTests {
    @Test(
        "The log contains no token, session, code, key, PIN or message, and has a line for each request",
        arguments: ["text", "json"], ["info", "debug"])
    func story(format: String, level: String) async throws {
        let folder = try TemporaryFolder()
        let log = folder.path + "/log"
        let wrapper = ["bash", "-c", "exec \"$@\" 2>'\(log)'", "bash"]
        var secrets = ["295038", "correct horse"]
        let options = ["--log-format", format, "--log-level", level, "--admin-key-file", folder.path + "/admin.key"]
        secrets += try await ServerProcess.run(in: folder, options: options, wrapper: wrapper) { server in
            let device = try await ClientDevice(at: server, keys: folder.path + "/keys")
            let session = try await device.login.logIn(device.vault)
            _ = try await session.devices()
            let code = try await server.code()
            // Refusals are logged too.
            let wrong = try await folder.device(
                "bind", "--server", server.url, "--code", EnrolmentCode.random().groupedText, pins: ["295038"])
            #expect(wrong.status == 1)
            for token in ["nonsense", session.accessToken.rawValue] {
                var request = URLRequest(url: try #require(URL(string: server.url + "/v1/devices?token=\(token)")))
                request.setValue("DPoP " + token, forHTTPHeaderField: "Authorization")
                _ = try await URLSession.shared.data(for: request)
            }
            try await device.login.logOut(device.vault)
            let backendKey = try String(contentsOfFile: server.folder + "/backend.key", encoding: .utf8)
                .trimmingCharacters(in: .whitespacesAndNewlines)
            var codes = [code, code.replacing("-", with: "")]
            for (route, password, status) in [
                (Route.setPassword, "correct horse", 200), (.verifyPassword, "correct horse", 200),
                (.enrolByPassword, "wrong correct horse", 403), (.enrolByPassword, "correct horse", 200),
            ] {
                var request = URLRequest(url: try #require(URL(string: server.url + route.path)))
                request.httpMethod = "POST"
                request.setValue("application/json", forHTTPHeaderField: "Content-Type")
                if route != .enrolByPassword {
                    request.setValue("Bearer " + backendKey, forHTTPHeaderField: "Authorization")
                }
                request.httpBody = Data(#"{"user":"bob","password":"\#(password)"}"#.utf8)
                let (answer, response) = try await URLSession.shared.data(for: request)
                #expect((response as? HTTPURLResponse)?.statusCode == status, "\(route)")
                guard route == .enrolByPassword, status == 200 else { continue }
                let given = try StrictJSON.decode(EnrolmentCodeGrant.self, from: answer).code.groupedText
                codes += [given, given.replacing("-", with: "")]
            }
            let adminKey = try String(contentsOfFile: folder.path + "/admin.key", encoding: .utf8)
                .trimmingCharacters(in: .whitespacesAndNewlines)
            let cookie = try await console(at: server, adminKey: adminKey)
            let keys = try ["master.key", "backend.key"].map {
                try String(contentsOfFile: server.folder + "/" + $0, encoding: .utf8).trimmingCharacters(
                    in: .whitespacesAndNewlines)
            }
            return keys + codes + [adminKey, cookie, session.accessToken.rawValue]
        }.value
        // The log names the paths of new keys, which contain a random name of the test.
        let text = try String(contentsOfFile: log, encoding: .utf8)
            .replacing((folder.path as NSString).lastPathComponent, with: "")
        for secret in secrets { #expect(!text.contains(secret)) }
        // Every JWS begins with these letters, and the log contains nothing else that is random and that long.
        #expect(!text.contains("eyJ"))
        #expect(text.firstMatch(of: #/[A-Za-z0-9_-]{40,}/#) == nil)
        let lines = text.split(separator: "\n")
        // The first line would be a warning if SQLite had been used before it was set up.
        #expect(lines.first?.contains("warning") == false)
        #expect(lines.count { $0.contains("Answered a request") } >= 8)
        #expect(lines.contains { $0.contains("access_token_refused") })
        #expect(lines.contains { $0.contains("Refused a sign-in to the console") })
        guard format == "json" else {
            for line in lines where line.contains("Answered a request") {
                let fields = #/hb\.request\.id=[0-9a-f]{32} microseconds=\d+ route=\S+ status=\d{3}/#
                #expect(line.dropFirst(24).hasPrefix(" info nightlatch: Answered a request hb."), "\(line)")
                #expect(line.firstMatch(of: fields)?.range.upperBound == line.endIndex, "\(line)")
            }
            return
        }
        for line in lines {
            let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            #expect(Set(object.keys) == ["time", "level", "logger", "message", "fields"])
            guard object["message"] as? String == "Answered a request" else { continue }
            #expect(object["level"] as? String == "info" && object["logger"] as? String == "nightlatch")
            let fields = try #require(object["fields"] as? [String: Any])
            #expect(Set(fields.keys) == ["hb.request.id", "microseconds", "route", "status"])
            #expect(fields["hb.request.id"] is String && fields["route"] is String)
            #expect(fields["microseconds"] is Int && fields["status"] is Int)
        }
    }

    /// Signs in to the console with a wrong and with the right key, opens a user's page, and sends a forged session.
    ///
    /// - Returns: The session as its cookie contains it.
    private func console(at server: ServerProcess, adminKey: String) async throws -> String {
        let browser = URLSession(configuration: .ephemeral)
        defer { browser.finishTasksAndInvalidate() }
        func send(
            _ path: String, form: String? = nil, forging cookie: String? = nil
        ) async throws -> (String, status: Int) {
            var request = URLRequest(url: try #require(URL(string: server.url + path)))
            if let cookie {
                request.httpShouldHandleCookies = false
                request.setValue("nightlatch-console=" + cookie, forHTTPHeaderField: "Cookie")
            }
            if let form {
                request.httpMethod = "POST"
                request.setValue("same-origin", forHTTPHeaderField: "Sec-Fetch-Site")
                request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
                request.httpBody = Data(form.utf8)
            }
            let (body, response) = try await browser.data(for: request)
            return (String(decoding: body, as: UTF8.self), try #require(response as? HTTPURLResponse).statusCode)
        }
        #expect(try await send("/console/sign-in", form: "key=" + String(adminKey.reversed())).status == 403)
        #expect(try await send("/console/sign-in", form: "key=" + adminKey).status == 200)
        let cookies = browser.configuration.httpCookieStorage?.cookies ?? []
        let cookie = try #require(cookies.first { $0.name == "nightlatch-console" }).value
        let page = try await send("/console/user?id=alice")
        #expect(page.status == 200 && page.0.contains("alice"))
        _ = try await send("/console/users", forging: String(cookie.reversed()))
        return cookie
    }
}
