/// An import of users from a file of JSON lines, line by line.
///
/// Lines are imported in batches. Each batch is one transaction of the store, so a stop in between leaves whole lines,
/// and the import can be repeated. The memory does not depend on the length of the file.
///
/// ```json
/// {"user": "alice", "password_hash": "$2b$12$…", "profile": {"name": "Alice Example", "email": "alice@example.com"}}
/// ```
package struct UserImport: Sendable {
    /// The longest line, in bytes.
    package static let longestLine = 16 * 1024
    /// The largest number of users in a transaction.
    package static let batchLength = 100

    /// A line that was not imported, or that a check would not import.
    package struct Finding: Hashable, Sendable, CustomStringConvertible {
        /// The number of the line, from 1.
        package let line: Int
        /// What is wrong, and what to do. It contains no value of the line.
        package let description: String

        package init(line: Int, _ description: String) {
            self.line = line
            self.description = description
        }
    }

    private let store: any RelyingPartyStore
    private let mode: UserImportMode
    private var batch: [(line: Int, user: ImportedUser)] = []
    /// The numbers of users by outcome, in the transactions that were committed.
    package private(set) var counts: [UserImportOutcome: Int] = [:]
    /// The number of lines that are no user.
    package private(set) var malformedCount = 0
    /// The last line whose transaction was committed, and all lines before it; 0 for none.
    package private(set) var lastLine = 0

    package init(into store: any RelyingPartyStore, mode: UserImportMode) {
        self.store = store
        self.mode = mode
    }

    /// Whether a line was not imported.
    package var hasFindings: Bool {
        malformedCount > 0 || counts[.exists, default: 0] > 0 || counts[.passwordKept, default: 0] > 0
    }

    /// Adds a line, and imports the batch if it is full.
    ///
    /// - Parameters:
    ///   - line: The bytes of the line, without its line feed; nil if it is longer than ``longestLine``.
    ///   - number: The number of the line, from 1.
    /// - Returns: The findings since the last call.
    /// - Throws: ``RelyingPartyStoreError``. The batch may have been imported; repeat the import.
    package mutating func add(
        _ line: [UInt8]?, number: Int
    ) async throws(RelyingPartyStoreError) -> [Finding] {
        let user: ImportedUser
        do throws(UserImportLineError) {
            guard let line else { throw UserImportLineError("is longer than \(Self.longestLine) bytes: shorten it") }
            user = try ImportedUser(line: line)
        } catch {
            malformedCount += 1
            if batch.isEmpty { lastLine = number }
            return [Finding(line: number, error.description)]
        }
        batch.append((number, user))
        return batch.count < Self.batchLength ? [] : try await finish()
    }

    /// Imports the last batch.
    ///
    /// - Returns: The findings since the last call.
    /// - Throws: ``RelyingPartyStoreError``. The batch may have been imported; repeat the import.
    package mutating func finish() async throws(RelyingPartyStoreError) -> [Finding] {
        guard let last = batch.last else { return [] }
        let outcomes = try await store.importUsers(batch.map(\.user), mode: mode, by: .operator)
        var findings: [Finding] = []
        for ((line, _), outcome) in zip(batch, outcomes) {
            counts[outcome, default: 0] += 1
            if let description = outcome.finding { findings.append(Finding(line: line, description)) }
        }
        lastLine = last.line
        batch = []
        return findings
    }
}

extension UserImportOutcome {
    /// What was not imported, and what to do; nil if all of the line was.
    fileprivate var finding: String? {
        switch self {
        case .created, .replaced, .unchanged: nil
        case .exists:
            "the user exists, and was not changed; --replace replaces the profile, and a password that was imported"
        case .passwordKept:
            "the user has signed in or got another password since the import, and keeps it; set another by the backend"
        }
    }
}
