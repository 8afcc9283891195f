import HTTPTypes
import Hummingbird
import NightlatchRelyingParty
import NightlatchServer
import NightlatchWire

/// The export and the deletion of a user.
extension ConsoleRoutes {
    func addUserData(to routes: RouteGroup) {
        action(.exportUser, on: routes) { request throws(ConsoleRefusal) in
            let id: UserID = try request.identifier("id")
            let administration = administration(of: request)
            let export = try await administer { () async throws(AdministrationError) in
                try await administration.beginExport(of: id, at: clock.now())
            }
            return .file(Self.download(export, of: id))
        }
        page(.deleteUser, on: routes) { request throws(ConsoleRefusal) in
            let id: UserID = try request.identifier("id")
            _ = try await administer { () async throws(AdministrationError) in try await administration.user(id) }
            return deletion(of: id)
        }
        action(.deleteUser, on: routes) { request throws(ConsoleRefusal) in
            let id: UserID = try request.identifier("id")
            let (confirmation, text) = (request.text("confirm") ?? "", request.text("reason") ?? "")
            guard confirmation == id.rawValue else {
                return .page(
                    deletion(
                        of: id, confirmation: confirmation, reason: text,
                        problem: "This is not the user’s id. Nothing was deleted."))
            }
            guard let reason = AuditReason(rawValue: text) else {
                return .page(
                    deletion(
                        of: id, confirmation: confirmation, reason: text,
                        problem: "The reason must have \(AuditReasonRule.requirement). Nothing was deleted."))
            }
            let administration = administration(of: request)
            _ = try await administer { () async throws(AdministrationError) in
                try await administration.deleteUser(id, because: reason)
            }
            return .done(at: links.link(.users, (ConsoleMessage.field, ConsoleMessage.userDeleted.rawValue)))
        }
    }

    /// The answer with the document.
    private static func download(_ export: UserExport, of id: UserID) -> Response {
        let name = String(
            id.rawValue.unicodeScalars.map { scalar in
                scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
                    ? Character(scalar) : "_"
            })
        return .download("user-\(name).json", type: "application/json", body: ResponseBody(export))
    }

    /// The form that asks for the user's id and a reason. `problem` tells why the previous input was refused.
    private func deletion(
        of user: UserID, confirmation: String = "", reason: String = "", problem: String? = nil
    ) -> ConsolePage {
        ConsolePage(
            template: .userDeletion, title: "Delete this user?", section: .users, parents: parents(of: user),
            status: problem == nil ? .ok : .unprocessableContent,
            content: UserDeletionContent(
                user: user.rawValue, confirm: confirmation, reason: reason, problem: problem,
                action: links.link(.deleteUser), back: links.user(user)))
    }
}

/// The values for the template of a user's deletion.
private struct UserDeletionContent {
    let user: String
    let confirm: String
    let reason: String
    let problem: String?
    let action: String
    let back: String
}
