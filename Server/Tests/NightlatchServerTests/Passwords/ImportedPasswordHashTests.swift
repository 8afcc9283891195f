import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Password hashes of other systems")
struct ImportedPasswordHashTests {
    /// The password of ``vectors``: composed letters, and a ligature that the normal form replaces.
    private static let password = "P\u{E4}ssw\u{F6}rd \u{FB01}sh"

    /// Hashes of ``password`` that argon2-cffi, bcrypt, passlib and Python's hashlib have made.
    static let vectors: [(form: ImportedPasswordHash.Form, text: String)] = [
        (.argon2id, "$argon2id$v=19$m=1024,t=2,p=2$c2FsdHNhbHRzYWx0c2FsdA$Ln2H9swAWlF4mi1Mm+RqdZUZtJ8aI7d0nuLRG6mcHi8"),
        (.bcrypt, "$2a$04$abcdefghijklmnopqrstuuZ0ejG0JwC5KnXGe.hg.xpwqn0LRQYmK"),
        (.bcrypt, "$2b$04$abcdefghijklmnopqrstuuZ0ejG0JwC5KnXGe.hg.xpwqn0LRQYmK"),
        (.bcrypt, "$2y$04$abcdefghijklmnopqrstuuZ0ejG0JwC5KnXGe.hg.xpwqn0LRQYmK"),
        (.pbkdf2, "$pbkdf2$1000$//5zYWx0.w$MaXLYB5v7YYS0eGOG2dxP6Oh.w8"),
        (.pbkdf2, "$pbkdf2-sha256$1000$//5zYWx0.w$sd8hUCqOeGLiRxwSxoTDgVRhjlKXGNI3gyksphlfGhA"),
        (
            .pbkdf2,
            "$pbkdf2-sha512$1000$//5zYWx0.w$bjnwyR88vrbJnbq7O/FUt2pJGMzwX/xVDOJxYs2X/TIfz6XE/53OhHYP3d8bGKMoiEkthLvsm8kN3IUmms9CPQ"
        ),
        (.pbkdf2, "pbkdf2_sha1$1000$pepper$PjTaz4KPjiSkf0QhUXRtFno4XI8="),
        (.pbkdf2, "pbkdf2_sha256$1000$pepper$5f/YDTPr0YYgUeuY/Ax0A91g9fqnx6k20NLQoFBreQ0="),
    ]

    private static func isRight(_ password: String, for text: String) async throws -> Bool {
        let hasher = PasswordHasher(PasswordHashing(unchecked: 8, passes: 1, lanes: 1, answerTime: .zero))
        let stored = StoredPassword(importing: try ImportedPasswordHash(text))
        return try await hasher.verify(
            try #require(Password(rawValue: password)), against: stored, at: hasher.place(for: .backend)) == .right
    }

    @Test("The right password is right for each form, and another is wrong", arguments: vectors)
    func verification(form: ImportedPasswordHash.Form, text: String) async throws {
        #expect(try ImportedPasswordHash(text).form == form)
        #expect(try await Self.isRight(Self.password, for: text))
        for wrong in ["Passw\u{F6}rd \u{FB01}sh", Self.password + " ", "x"] {
            #expect(try await !Self.isRight(wrong, for: text), "\(wrong)")
        }
        // The hash is of the bytes as they were sent, so the normal form is another password.
        #expect(try await !Self.isRight("P\u{E4}ssw\u{F6}rd fish", for: text))
    }

    @Test("The hash of a normalised password is right for the normal form only, so that each attempt is one derivation")
    func normalisation() async throws {
        let text = "$2b$04$abcdefghijklmnopqrstuukhFOEuAiqolKGzAlrptPkKc3pqzVTT2"
        #expect(try await Self.isRight("P\u{E4}ssw\u{F6}rd fish", for: text))
        for spelling in [Self.password, "Pa\u{308}sswo\u{308}rd \u{FB01}sh"] {
            #expect(try await !Self.isRight(spelling, for: text), "\(spelling)")
        }
    }

    @Test(
        "A text in no known form, a damaged hash and a hash that costs too much are refused",
        arguments: [
            ("", .unknownForm), ("secret", .unknownForm), ("$", .unknownForm), ("$1$salt$hash", .unknownForm),
            ("$argon2i$v=19$m=1024,t=2,p=2$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAA", .unknownForm),
            ("argon2id$v=19$m=1024,t=2,p=2$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAA", .unknownForm),
            ("$2x$04$abcdefghijklmnopqrstuuZ0ejG0JwC5KnXGe.hg.xpwqn0LRQYmK", .unknownForm),
            ("$2$04$abcdefghijklmnopqrstuuZ0ejG0JwC5KnXGe.hg.xpwqn0LRQYmK", .unknownForm),
            ("$2b$04$abcdefghijklmnopqrstuuZ0ejG0JwC5KnXGe.hg.xpwqn0LRQYmK\n", .unknownForm),
            ("$pbkdf2_sha256$1000$pepper$5f/YDTPr0YYgUeuY/Ax0A91g9fqnx6k20NLQoFBreQ0=", .unknownForm),
            ("$argon2id$v=19$m=1024,t=2,p=2$c2FsdHNhbHQ$" + String(repeating: "A", count: 600), .unknownForm),

            ("$argon2id$v=16$m=1024,t=2,p=2$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAA", .malformed(.argon2id)),
            ("$argon2id$m=1024,t=2,p=2$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAA", .malformed(.argon2id)),
            ("$argon2id$v=19$t=2,m=1024,p=2$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAA", .malformed(.argon2id)),
            ("$argon2id$v=19$m=1024,t=2,p=2,data=AA$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAA", .malformed(.argon2id)),
            ("$argon2id$v=19$m=01024,t=2,p=2$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAA", .malformed(.argon2id)),
            ("$argon2id$v=19$m=+1024,t=2,p=2$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAA", .malformed(.argon2id)),
            ("$argon2id$v=19$m=1024,t=0,p=2$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAA", .malformed(.argon2id)),
            ("$argon2id$v=19$m=15,t=2,p=2$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAA", .malformed(.argon2id)),
            ("$argon2id$v=19$m=1024,t=2,p=2$c2FsdA$AAAAAAAAAAAAAAAAAAAAAA", .malformed(.argon2id)),
            ("$argon2id$v=19$m=1024,t=2,p=2$c2FsdHNhbHQ=$AAAAAAAAAAAAAAAAAAAAAA", .malformed(.argon2id)),
            // Bits that belong to no byte.
            ("$argon2id$v=19$m=1024,t=2,p=2$c2FsdHNhbHR$AAAAAAAAAAAAAAAAAAAAAA", .malformed(.argon2id)),
            ("$argon2id$v=19$m=1024,t=2,p=2$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAA", .malformed(.argon2id)),
            ("$argon2id$v=19$m=1024,t=2,p=2$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAA$", .malformed(.argon2id)),
            ("$argon2id$v=19$m=1024,t=2,p=2$c2FsdHN_bHQ$AAAAAAAAAAAAAAAAAAAAAA", .malformed(.argon2id)),
            ("$argon2id$v=19$m=99999999999,t=2,p=2$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAA", .malformed(.argon2id)),
            ("$argon2id$v=19$m=65537,t=1,p=2$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAA", .tooCostly(.argon2id)),
            ("$argon2id$v=19$m=65536,t=4,p=2$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAA", .tooCostly(.argon2id)),
            ("$argon2id$v=19$m=1024,t=65,p=2$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAA", .tooCostly(.argon2id)),
            ("$argon2id$v=19$m=1024,t=1,p=17$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAA", .tooCostly(.argon2id)),

            ("$2b$4$abcdefghijklmnopqrstuuZ0ejG0JwC5KnXGe.hg.xpwqn0LRQYmK", .malformed(.bcrypt)),
            ("$2b$03$abcdefghijklmnopqrstuuZ0ejG0JwC5KnXGe.hg.xpwqn0LRQYmK", .malformed(.bcrypt)),
            ("$2b$+4$abcdefghijklmnopqrstuuZ0ejG0JwC5KnXGe.hg.xpwqn0LRQYmK", .malformed(.bcrypt)),
            ("$2b$04$abcdefghijklmnopqrstuuZ0ejG0JwC5KnXGe.hg.xpwqn0LRQYm", .malformed(.bcrypt)),
            ("$2b$04$abcdefghijklmnopqrstuuZ0ejG0JwC5KnXGe+hg.xpwqn0LRQYmK", .malformed(.bcrypt)),
            ("$2b$04$abcdefghijklmnopqrstuuZ0ejG0JwC5KnXGe.hg.xpwqn0LRQYmK$", .malformed(.bcrypt)),
            // Bits that belong to no byte.
            ("$2b$04$abcdefghijklmnopqrstuuZ0ejG0JwC5KnXGe.hg.xpwqn0LRQYmL", .malformed(.bcrypt)),
            ("$2b$13$abcdefghijklmnopqrstuuZ0ejG0JwC5KnXGe.hg.xpwqn0LRQYmK", .tooCostly(.bcrypt)),

            ("$pbkdf2$1000$//5zYWx0+w$MaXLYB5v7YYS0eGOG2dxP6Oh.w8", .malformed(.pbkdf2)),
            ("$pbkdf2$0$//5zYWx0.w$MaXLYB5v7YYS0eGOG2dxP6Oh.w8", .malformed(.pbkdf2)),
            ("$pbkdf2$1000$$MaXLYB5v7YYS0eGOG2dxP6Oh.w8", .malformed(.pbkdf2)),
            ("$pbkdf2$1000$//5zYWx0.w$MaXLYB5v7YYS0eGOG2dxP6Oh", .malformed(.pbkdf2)),
            ("$pbkdf2-sha256$1000$//5zYWx0.w$MaXLYB5v7YYS0eGOG2dxP6Oh.w8", .malformed(.pbkdf2)),
            ("pbkdf2_sha1$1000$pepper$PjTaz4KPjiSkf0QhUXRtFno4XI8", .malformed(.pbkdf2)),
            ("pbkdf2_sha1$1000$pepper$PjTaz4KPjiSkf0QhUXRtFno4XI9=", .malformed(.pbkdf2)),
            ("pbkdf2_sha256$1000001$pepper$5f/YDTPr0YYgUeuY/Ax0A91g9fqnx6k20NLQoFBreQ0=", .tooCostly(.pbkdf2)),
            (
                "$pbkdf2-sha512$400001$//5zYWx0.w$bjnwyR88vrbJnbq7O/FUt2pJGMzwX/xVDOJxYs2X/TIfz6XE/53OhHYP3d8bGKMoiEkthLvsm8kN3IUmms9CPQ",
                .tooCostly(.pbkdf2)
            ),
        ] as [(String, ImportedPasswordHashError)])
    func refusals(text: String, expected: ImportedPasswordHashError) {
        #expect(throws: expected) { try ImportedPasswordHash(text) }
    }

    @Test("The most costly hash of each form is accepted, and a password can be checked against it")
    func limits() throws {
        for text in [
            "$argon2id$v=19$m=65536,t=3,p=16$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAA",
            "$argon2id$v=19$m=3072,t=64,p=1$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAA",
            "$2b$12$abcdefghijklmnopqrstuuZ0ejG0JwC5KnXGe.hg.xpwqn0LRQYmK",
            "$pbkdf2$1000000$//5zYWx0.w$MaXLYB5v7YYS0eGOG2dxP6Oh.w8",
        ] {
            let password = try #require(Password(rawValue: "x"))
            #expect(try ImportedPasswordHash(text).check(password) == .wrong, "\(text)")
        }
    }

    @Test("No description of a hash or of a stored password contains a part of the imported text", arguments: vectors)
    func descriptions(form: ImportedPasswordHash.Form, text: String) throws {
        let hash = try ImportedPasswordHash(text)
        let stored = StoredPassword(importing: hash)
        var dumped = ""
        dump(stored, to: &dumped)
        let end = String(text.suffix(12))
        for shown in ["\(hash)", "\(stored)", String(reflecting: hash), String(reflecting: stored), dumped] {
            #expect(!shown.contains(end), "\(shown)")
        }
    }

    @Test("An earlier release refuses every password, and a password that it sets replaces the imported hash")
    func earlierRelease() async throws {
        let text = Self.vectors[1].text
        let imported = StoredPassword(importing: try ImportedPasswordHash(text))
        // An earlier release reads the other members only.
        let seen = StoredPassword(
            hash: imported.hash, salt: imported.salt, memoryKibibytes: imported.memoryKibibytes,
            passes: imported.passes, lanes: imported.lanes)
        let hasher = PasswordHasher(PasswordHashing(unchecked: 8, passes: 1, lanes: 1, answerTime: .zero))
        let (place, password) = (try hasher.place(for: .backend), try #require(Password(rawValue: Self.password)))
        #expect(try await hasher.verify(password, against: seen, at: place) == .wrong)
        // It sets a password, and leaves the column with the text.
        let set = try await hasher.hash(password, at: place)
        let read = try StoredPassword(
            hash: set.hash, salt: set.salt, memoryKibibytes: set.memoryKibibytes, passes: set.passes, lanes: set.lanes,
            importedText: text)
        #expect(read == set && read.imported == nil)
        let kept = try StoredPassword(
            hash: imported.hash, salt: imported.salt, memoryKibibytes: imported.memoryKibibytes,
            passes: imported.passes, lanes: imported.lanes, importedText: text)
        #expect(kept == imported)
        #expect(StoredPassword(importing: try ImportedPasswordHash(text)) != imported)
    }
}
