import HTTPTypes
import Hummingbird
import NightlatchRelyingParty
import NightlatchServer
import NightlatchWire

/// The export and the deletion of a user.
extension ConsoleRoutes {
    /// The size of the largest document that the console sends, because the server keeps an answer in memory.
    private static let exportByteCountLimit = 4 << 20

    func addUserData(to routes: RouteGroup) {
        routes.on(ConsolePath.exportUser.rawValue, .get) { request, context in
            await answer(request, context) { session throws(ConsoleRefusal) in
                let request = ConsoleRequest(session: session, fields: try request.pageFields())
                let id: UserID = try request.identifier("id")
                return Self.download(try await export(of: id), of: id)
            }
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
            _ = try await administer { () async throws(AdministrationError) in
                try await administration.deleteUser(id, because: reason)
            }
            return .done(at: links.link(.users, (ConsoleMessage.field, ConsoleMessage.userDeleted.rawValue)))
        }
    }

    private func export(of id: UserID) async throws(ConsoleRefusal) -> ByteBuffer {
        let export = try await administer { () async throws(AdministrationError) in
            try await administration.beginExport(of: id, at: clock.now())
        }
        var document = ByteBuffer()
        do {
            try await export.write { bytes in
                guard document.readableBytes + bytes.count <= Self.exportByteCountLimit else {
                    throw ConsoleRefusal.exportTooLarge
                }
                document.writeBytes(bytes)
            }
        } catch let refusal as ConsoleRefusal {
            throw refusal
        } catch let error as RelyingPartyStoreError {
            throw .refused(.store(error))
        } catch {
            // `write` throws no other errors.
            throw .refused(.internalError)
        }
        return document
    }

    /// An answer that the browser saves as a file.
    private static func download(_ document: ByteBuffer, of id: UserID) -> Response {
        // The name has only characters that need no quoting (RFC 6266).
        let name = String(
            id.rawValue.unicodeScalars.map { scalar in
                scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
                    ? Character(scalar) : "_"
            })
        let disposition = HTTPField.Name("Content-Disposition")
        var headers: HTTPFields = [.contentType: "application/json"]
        if let disposition { headers[disposition] = "attachment; filename=\"user-\(name).json\"" }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: document))
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
