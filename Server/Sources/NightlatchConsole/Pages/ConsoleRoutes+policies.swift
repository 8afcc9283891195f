import Hummingbird
import NightlatchRelyingParty
import NightlatchServer
import NightlatchWire

extension ConsoleRoutes {
    func addPolicies(to routes: RouteGroup) {
        page(.subjectPolicy, on: routes) { request throws(ConsoleRefusal) in
            let subject = try request.policySubject()
            let stored = try await policy(of: subject)
            return shown(stored, of: subject, texts: PolicyTexts(of: stored?.policy ?? Policy()), to: request.caller)
        }
        action(.subjectPolicy, on: routes) { request throws(ConsoleRefusal) in
            let subject = try request.policySubject()
            guard let number = request.fields.fields["revision"].flatMap({ Int($0) }),
                let revision = PolicyRevision(rawValue: number)
            else { throw .refused(.malformedRequest) }
            var texts = PolicyTexts()
            for member in Policy.Member.allCases {
                texts.texts[member] = request.fields.fields[member.rawValue] ?? ""
            }
            let new: Policy
            do throws(PolicyTexts.Fault) {
                new = try texts.applied(to: Policy())
            } catch {
                return .page(
                    shown(
                        try await policy(of: subject), of: subject, texts: texts,
                        problem: "“\(error.member.label)” must be \(Policy.rule(of: error.member)).", in: error.member,
                        to: request.caller))
            }
            let administration = administration(of: request, because: try request.reason())
            let outcome = try await administer { () async throws(AdministrationError) in
                try await administration.setPolicy(new, of: subject, replacing: revision)
            }
            switch outcome {
            case .stored:
                return .done(
                    at: links.policy(of: subject, (ConsoleMessage.field, ConsoleMessage.policyChanged.rawValue)))
            case .changed(let newer):
                // The operator keeps the typed texts, to compare them with the current policy.
                return .page(
                    shown(
                        newer, of: subject, texts: texts,
                        problem: "The policy was changed since this page was loaded. Compare, then send it again.",
                        to: request.caller))
            case .noSuchUser: throw .refused(.notFound)
            }
        }
    }

    private func policy(of subject: PolicySubject) async throws(ConsoleRefusal) -> StoredPolicy? {
        try await administer { () async throws(AdministrationError) in try await administration.policy(of: subject) }
    }

    private func shown(
        _ stored: StoredPolicy?, of subject: PolicySubject, texts: PolicyTexts, problem: String? = nil,
        in member: Policy.Member? = nil, to caller: ConsoleCaller
    ) -> ConsolePage {
        let parents: [ConsolePage.Link] =
            switch subject {
            case .app: [.init(text: "Apps", address: links.link(.apps))]
            case .user(let user):
                [
                    .init(text: "Users", address: links.link(.users)),
                    .init(text: user.rawValue, address: links.user(user)),
                ]
            }
        return ConsolePage(
            template: .subjectPolicy, title: "Policy of \(subject.id)",
            section: subject.user == nil ? .apps : .users, parents: parents,
            status: problem == nil ? .ok : .unprocessableContent,
            content: PolicyFormContent(
                stored, of: subject, texts: texts, problem: problem.map { ($0, member) }, links: links,
                isChangeable: caller.mayAct(at: .subjectPolicy)))
    }
}

extension ConsoleRequest {
    /// The app or the user that the request names.
    fileprivate func policySubject() throws(ConsoleRefusal) -> PolicySubject {
        text("app") == nil ? .user(try identifier("user")) : .app(try identifier("app"))
    }
}

extension ConsoleLinks {
    /// The page of a policy.
    func policy(of subject: PolicySubject, _ query: (name: String, value: String)...) -> String {
        let address = link(.subjectPolicy, (subject.kind, subject.id))
        return query.reduce(address) { $0 + "&\($1.name)=\($1.value.percentEncoded)" }
    }
}
