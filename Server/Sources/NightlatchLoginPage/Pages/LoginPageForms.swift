import NightlatchRelyingParty
import NightlatchServer
import NightlatchWire

/// The forms of a login.
struct LoginPageForms {
    let issuer: Issuer
    let handle: LoginPageHandle
    let texts: LoginPageTexts

    /// A form that is one button.
    func form(_ path: LoginPagePath, button: String, style: String? = nil) -> HTML {
        let style = style.map { style -> HTML in #" class="\#(style)""# }
        return """
            \(start(path))<button\(style)>\(button)</button>
            </form>

            """
    }

    /// The form for the user's name.
    ///
    /// - Parameters:
    ///   - name: The name that the field shows.
    ///   - isRefused: Whether the name was sent and cannot be one.
    func ask(entered name: String, isRefused: Bool) -> HTML {
        let problem: HTML? =
            isRefused ? #"<p class="problem" id="problem" role="alert">\#(texts.nameRefused)</p>\#("\n")"# : nil
        let description: HTML =
            isRefused ? #"aria-invalid="true" aria-describedby="problem hint" autofocus"# : #"aria-describedby="hint""#
        return """
            \(start(.ask))<h2>\(texts.nameHeading)</h2>
            \(problem)<label for="user">\(texts.nameLabel)</label>
            <input id="user" name="user" value="\(name)" required autocomplete="username" autocapitalize="none" \
            spellcheck="false" \(description)>
            <p class="hint" id="hint">\(texts.nameHint)</p>
            <button>\(texts.ask)</button>
            </form>

            """
    }

    private func start(_ path: LoginPagePath) -> HTML {
        """
        <form method="post" action="\(issuer.path + path.rawValue)">
        <input type="hidden" name="\(LoginPagePath.handleField)" value="\(handle.text)">

        """
    }
}
