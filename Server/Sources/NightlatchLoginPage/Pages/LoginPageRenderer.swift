import HTTPTypes
import Hummingbird
import NightlatchRelyingParty
import NightlatchServer
import NightlatchWire

/// Renders the login page.
struct LoginPageRenderer: Sendable {
    let issuer: Issuer
    let clock: WallClock

    /// The time after the expiry until which the script asks for the state, so that it shows the expiry.
    private static let expiryDelay = 10

    /// The page's address as its browser sees it.
    func address(_ handle: LoginPageHandle, of path: LoginPagePath = .page) -> String {
        issuer.path + path.address(handle)
    }

    /// Renders a login in its state.
    ///
    /// - Parameters:
    ///   - page: The login.
    ///   - handle: Its handle.
    ///   - texts: The texts.
    ///   - name: The text that the user entered, if it cannot be a name.
    func page(
        _ page: LoginPage, _ handle: LoginPageHandle, _ texts: LoginPageTexts, refusing name: String? = nil
    ) -> Response {
        let forms = LoginPageForms(issuer: issuer, handle: handle, texts: texts)
        let app = page.app.rawValue
        let back = forms.form(.cancel, button: texts.back(app), style: "quiet")
        var frame = Frame(heading: "", texts: texts)
        frame.app = texts.title(app)
        switch page.state {
        case .offered(let code, let hint):
            let seconds = page.expiresAt.secondsSince1970 - clock.now().secondsSince1970 + Self.expiryDelay
            let number = number(page.number, texts)
            frame.heading = texts.scanHeading
            frame.wait = Wait(state: page.state, page: address(handle), poll: address(handle, of: .state), seconds)
            frame.isReloading = false
            frame.body = """
                <p>\(texts.scan)</p>
                \(drawing(of: code, texts))\(number)\(status(texts))
                <p><a href="\(code.scannedText(at: issuer))" target="_blank" rel="noopener">\(texts.onThisPhone)</a></p>
                <noscript><p><a class="button" href="\(address(handle))">\(texts.reload)</a></p></noscript>
                <section>
                \(forms.ask(entered: name ?? hint?.rawValue ?? "", isRefused: name != nil))</section>
                \(back)
                """
        case .waiting, .confirmed:
            let seconds = page.expiresAt.secondsSince1970 - clock.now().secondsSince1970 + Self.expiryDelay
            frame.heading = texts.waitingHeading
            frame.wait = Wait(state: .waiting, page: address(handle), poll: address(handle, of: .state), seconds)
            let steps = texts.waitingSteps.map { step -> HTML in "<li>\(step)</li>\n" }
            frame.body = """
                \(number(page.number, texts))<ol>
                \(steps)</ol>
                \(status(texts))
                <details>
                <summary>\(texts.troubleHeading)</summary>
                <p>\(texts.trouble)</p>
                </details>
                \(back)
                """
        case .ended(let end):
            let message = texts.ended(end)
            frame.heading = message.heading
            frame.body = """
                <p>\(message.sentence)</p>
                \(forms.form(.again, button: texts.again))\(back)
                """
        }
        return response(frame, status: name == nil ? .ok : .badRequest)
    }

    /// Leads to the app with the answer: by a redirect, a form, or a page.
    ///
    /// - Parameter isLoggedIn: Whether the answer has a code.
    func leaving(with answer: AuthorizationAnswer, _ texts: LoginPageTexts, isLoggedIn: Bool) -> Response {
        // Browsers may refuse to open another program without a click, and apply `form-action` to redirects.
        let isWeb = ["https://", "http://"].contains(where: answer.target.uri.rawValue.hasPrefix)
        guard answer.target.mode == .query, !(isLoggedIn && isWeb) else { return answer.response }
        let message = isLoggedIn ? texts.confirmed : texts.cancelled
        var frame = Frame(heading: message.heading, texts: texts)
        frame.head = #"<meta http-equiv="refresh" content="0; url=\#(answer.location)">\#("\n")"#
        frame.body = """
            <p>\(message.sentence)</p>
            <p><a class="button" href="\(answer.location)">\(texts.toApp)</a></p>

            """
        return response(frame)
    }

    /// The page for users who opened the content of the QR code in a browser.
    func scanned(_ texts: LoginPageTexts) -> Response { response(texts.scanned, texts) }

    func refusal(_ answer: RefusalAnswer, _ texts: LoginPageTexts) -> Response {
        let message: LoginPageTexts.Message =
            switch answer.code {
            case .notFound: texts.unknown
            case .rateLimited, .unavailable: texts.busy
            default: texts.refused
            }
        var response = response(message, texts, status: answer.status)
        response.headers[.retryAfter] = answer.retryAfter
        response.headers[.allow] = answer.allowedMethods
        return response
    }

    // Parts.

    private func drawing(of code: RemoteLoginCode, _ texts: LoginPageTexts) -> HTML? {
        guard let drawing = QRCode(code.scannedText(at: issuer)) else { return nil }
        // Dark on white, also in a dark page: many scanners read nothing else.
        return """
            <svg class="code" role="img" aria-label="\(texts.codeLabel)" viewBox="0 0 \(drawing.side) \(drawing.side)" \
            width="\(4 * drawing.side)" height="\(4 * drawing.side)" shape-rendering="crispEdges">\
            <rect width="100%" height="100%" fill="#fff"/><path fill="#000" d="\(drawing.path)"/></svg>

            """
    }

    private func number(_ number: RemoteLoginNumber, _ texts: LoginPageTexts) -> HTML {
        """
        <div class="number">
        <dl><dt>\(texts.number)</dt><dd>\(number.rawValue)</dd></dl>
        <p class="hint">\(texts.numberHint) \(texts.numberWarning)</p>
        </div>

        """
    }

    private func status(_ texts: LoginPageTexts) -> HTML {
        #"<p class="status" role="status">\#(texts.waiting)</p>"#
    }

    // The frame of all pages.

    private struct Frame {
        var heading: String
        let texts: LoginPageTexts
        /// The line about the app; nil if the app is not known.
        var app: String?
        var head: HTML?
        var body: HTML = ""
        var wait: Wait?
        /// Whether browsers without scripts reload the page. A reload would empty the form for the name.
        var isReloading = true
    }

    /// What the script of a waiting page needs.
    private struct Wait {
        let state: LoginPage.State
        let page: String
        let poll: String
        let seconds: Int

        init(state: LoginPage.State, page: String, poll: String, _ seconds: Int) {
            self.state = state
            self.page = page
            self.poll = poll
            self.seconds = seconds
        }

        func attributes(_ texts: LoginPageTexts) -> HTML {
            """
             data-state="\(state.name)" data-page="\(page)" data-poll="\(poll)" data-seconds="\(seconds)" \
            data-changed="\(texts.goingOn)"
            """
        }
    }

    private func response(
        _ message: LoginPageTexts.Message, _ texts: LoginPageTexts, status: HTTPResponse.Status = .ok
    ) -> Response {
        var frame = Frame(heading: message.heading, texts: texts)
        frame.body = "<p>\(message.sentence)</p>\n"
        return response(frame, status: status)
    }

    private func response(_ frame: Frame, status: HTTPResponse.Status = .ok) -> Response {
        let style = issuer.path + LoginPagePath.style.rawValue + "?v=" + LoginPageStyle.sheet.version
        let title = [frame.heading, frame.app].compactMap(\.self).joined(separator: " · ")
        let reload = frame.wait.flatMap { wait -> HTML? in
            frame.isReloading
                ? #"<noscript><meta http-equiv="refresh" content="5; url=\#(wait.page)"></noscript>\#("\n")"# : nil
        }
        let app = frame.app.map { app -> HTML in #"<p class="app">\#(app)</p>\#("\n")"# }
        let page: HTML = """
            <!doctype html>
            <html lang="\(frame.texts.language)">
            <head>
            <meta charset="utf-8">
            <title>\(title)</title>
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <link rel="stylesheet" href="\(style)">
            \(frame.head)\(reload)</head>
            <body>
            <main\(frame.wait?.attributes(frame.texts))>
            \(app)<h1>\(frame.heading)</h1>
            \(frame.body)</main>
            <footer>\(issuer.rawValue)</footer>
            \(frame.wait == nil ? nil : LoginPageScript.script.element)
            </body>
            </html>

            """
        return Response(status: status, page: page.text)
    }
}
