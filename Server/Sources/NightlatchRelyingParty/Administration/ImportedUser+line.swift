import NightlatchWire

/// The reason why a line of an import is no user.
struct UserImportLineError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, and what to do. It contains no value of the line.
    let description: String

    init(_ description: String) { self.description = description }
}

extension ImportedUser {
    private static let limits = JSONLimits(
        byteCount: UserImport.longestLine, depth: 3, combiningRunLimit: JSONLimits.request.combiningRunLimit)

    /// The permitted members of a line.
    private static let members: Set = ["user", "password_hash", "profile"]

    /// Reads a line: an object with `user` and, if there are any, `password_hash` and `profile`.
    ///
    /// Unknown members are refused, because a misspelt `password_hash` would otherwise import a user without a
    /// password.
    init(line: [UInt8]) throws(UserImportLineError) {
        let value: JSONValue
        do throws(StrictJSONError) {
            value = try JSONValue(parsing: line, limits: Self.limits)
        } catch {
            throw UserImportLineError("is no line of JSON that can be imported: \(error.importRule)")
        }
        guard let object = value.object else { throw UserImportLineError("must be a JSON object") }
        let profileMembers = Set(UserProfile.Member.allCases.map(\.rawValue))
        guard object.members.allSatisfy({ Self.members.contains($0.name) }) else {
            throw UserImportLineError("may only have the members user, password_hash and profile")
        }
        guard object["profile"]?.object?.members.allSatisfy({ profileMembers.contains($0.name) }) ?? true else {
            throw UserImportLineError(
                "may only have these members in profile: \(profileMembers.sorted().joined(separator: ", "))")
        }
        do throws(MessageFault) {
            self = try StrictJSON.read(Line.self, from: line, limits: Self.limits).user
        } catch {
            throw UserImportLineError(error.member.isEmpty ? error.rule : "\(error.member) \(error.rule)")
        }
        if let passwordHash, !passwordHash.isSupported {
            throw UserImportLineError(
                "password_hash is a bcrypt hash, and this system has no bcrypt: run the import and the server on Linux")
        }
    }

    /// The JSON of a line.
    private struct Line: Decodable {
        let user: ImportedUser

        init(from decoder: any Decoder) throws {
            let members = try JSONObjectReader(decoder)
            let id: UserID = try members.value("user")
            let text: String? = try members.optionalValue("password_hash")
            let profile: UserProfile? = try members.optionalValue("profile")
            let hash: ImportedPasswordHash?
            do throws(ImportedPasswordHashError) {
                hash = try text.map { text throws(ImportedPasswordHashError) in try ImportedPasswordHash(text) }
            } catch {
                throw members.broken("password_hash", error.description)
            }
            // A profile without members is none.
            user = ImportedUser(id, passwordHash: hash, profile: profile?.facts.isEmpty == true ? nil : profile)
        }
    }
}

extension StrictJSONError {
    /// The rule that a line breaks.
    fileprivate var importRule: String {
        switch self {
        case .tooLarge: "it is too large"
        case .tooDeep: "it is nested too deeply"
        case .duplicateMember: "it has a member more than once"
        case .malformed(let offset): "it is malformed at byte \(offset)"
        case .unexpectedShape: "it does not have the expected form"
        }
    }
}
