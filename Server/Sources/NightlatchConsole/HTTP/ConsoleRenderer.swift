import HTTPTypes
import Hummingbird
import Mustache
import NightlatchRelyingParty
import NightlatchServer
import NightlatchWire

/// Renders pages as HTML answers.
struct ConsoleRenderer: Sendable {
    let links: ConsoleLinks
    private let issuer: Issuer
    private let sealer: ConsoleSessionSealer
    private let library: MustacheLibrary

    init(issuer: Issuer, sealer: ConsoleSessionSealer) {
        self.issuer = issuer
        self.sealer = sealer
        links = ConsoleLinks(issuer: issuer)
        do {
            ConsoleContentType.register()
            let templates = try ConsoleTemplate.allCases.map { template in
                // Each template names the content type itself: a partial does not inherit it.
                (template.rawValue, try MustacheTemplate(string: ConsoleContentType.pragma + template.text))
            }
            library = MustacheLibrary(templates: Dictionary(uniqueKeysWithValues: templates))
        } catch {
            // This cannot happen: the templates are compiled in, and a test renders each.
            preconditionFailure("a template of the console is invalid: \(error)")
        }
    }

    /// The address of the style sheet. It contains a hash of the sheet, so browsers can cache it.
    private var styleAddress: String { links.link(.style, ("v", ConsoleStyle.sheet.version)) }

    /// Renders a page.
    ///
    /// - Parameters:
    ///   - page: The page to render.
    ///   - caller: The signed-in party; nil if nobody is signed in.
    func response(_ page: ConsolePage, for caller: ConsoleCaller?) -> Response {
        let frame = Frame(
            title: page.title,
            style: styleAddress,
            issuer: issuer.rawValue,
            home: links.link(.overview),
            parents: page.parents,
            message: page.message?.sentence,
            signedIn: caller.map { caller in
                SignedIn(
                    sections: ConsolePage.Section.allCases.filter { caller.mayOpen($0.path) }.map { section in
                        SectionLink(
                            text: section.rawValue, address: links.link(section.path),
                            isCurrent: section == page.section)
                    },
                    signOut: links.link(.signOut), name: caller.shown, endsAt: ShownTime(caller.session.endsAt),
                    idleLife: ConsoleSession.idleLife.inWords)
            },
            formToken: caller.map { sealer.formToken(of: $0.session.id) } ?? "",
            page: page.content)
        let text = library.render(frame, withTemplate: page.template.rawValue) ?? ""
        return Response(status: page.status, page: text)
    }

    /// Renders a page that explains a refusal.
    func response(_ refusal: ConsoleRefusal, for caller: ConsoleCaller?) -> Response {
        let page = ConsolePage(
            template: .refusal, title: refusal.heading, status: refusal.status,
            content: RefusalContent(sentence: refusal.sentence, home: links.link(.overview)))
        var response = response(page, for: caller)
        switch refusal {
        case .refused(let refusal): response.headers[.retryAfter] = RefusalAnswer(refusal).retryAfter
        case .unreadable(let refusal): response.headers[.allow] = RefusalAnswer(refusal).allowedMethods
        default: break
        }
        return response
    }

    /// The values for the frame template.
    private struct Frame {
        let title: String
        let style: String
        let issuer: String
        let home: String
        let parents: [ConsolePage.Link]
        let message: String?
        let signedIn: SignedIn?
        let formToken: String
        let page: any Sendable
    }

    private struct SignedIn {
        let sections: [SectionLink]
        let signOut: String
        /// The name and the role, or the admin key.
        let name: String
        let endsAt: ShownTime
        let idleLife: String
    }

    private struct SectionLink {
        let text: String
        let address: String
        let isCurrent: Bool
    }

    private struct RefusalContent {
        let sentence: String
        let home: String
    }
}
