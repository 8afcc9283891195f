import Foundation
import Hummingbird
import NightlatchRelyingParty
import NightlatchServer
import NightlatchWire

/// A request of a signed-in operator.
struct ConsoleRequest: Sendable {
    let caller: ConsoleCaller
    /// The members of the address's query or of the form.
    let fields: FormFields

    /// Returns the field `name` as an identifier.
    ///
    /// - Throws: ``ConsoleRefusal`` with `notFound` if the field is missing or malformed.
    func identifier<Rule: IdentifierRule>(_ name: String) throws(ConsoleRefusal) -> Identifier<Rule> {
        guard let identifier = fields.fields[name].flatMap(Identifier<Rule>.init(rawValue:)) else {
            throw .refused(.notFound)
        }
        return identifier
    }

    /// Returns the reason in the field `reason`, for an action that needs one.
    ///
    /// - Throws: ``ConsoleRefusal`` `reasonMissing`.
    func reason() throws(ConsoleRefusal) -> AuditReason {
        guard let reason = fields.fields["reason"].flatMap(AuditReason.init(rawValue:)) else { throw .reasonMissing }
        return reason
    }

    /// Returns the reason in the field `reason`, for an action that needs none; nil if it is empty.
    ///
    /// - Throws: ``ConsoleRefusal`` `reasonMissing` for a text that is no reason.
    func optionalReason() throws(ConsoleRefusal) -> AuditReason? { text("reason") == nil ? nil : try reason() }

    /// Returns the field `name`; nil if it is missing or empty.
    func text(_ name: String) -> String? {
        fields.fields[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension Request {
    /// Returns the members of the query, decoded as strictly as a form.
    func pageFields() throws(ConsoleRefusal) -> FormFields {
        do {
            return FormFields(fields: try queryFields())
        } catch {
            throw .refused(error)
        }
    }
}

extension RelyingPartyRequestContext {
    /// Returns the fields of the form in the body of `request`.
    func formFields(of request: Request) throws(ConsoleRefusal) -> FormFields {
        do {
            return try form(of: request)
        } catch {
            throw ConsoleRefusal(error) ?? .refused(.internalError)
        }
    }
}

extension FormFields {
    /// A form without fields.
    static let none = FormFields(fields: [:])
}
