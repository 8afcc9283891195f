/// One step of the schema. A migration that was released is never edited; changes come as new ones.
///
/// Identifiers are compared byte by byte, as the program does. Moments are seconds since 1970, as on the wire. Rows that are written
/// again and again leave room in their page, so that no index has to change with them.
struct PostgresMigration {
    /// By this name the database knows that it was applied.
    let name: String
    /// What it does, one statement after the other.
    let statements: [String]

    /// All steps, in the order in which they are applied.
    static let all = [
        PostgresMigration(name: "1 users, devices, ceremonies, tokens", statements: version1),
        PostgresMigration(name: "2 transactions", statements: transactions),
        PostgresMigration(
            name: "3 signing key rotation, logins of families, passwords", statements: tokensAndPasswords),
        PostgresMigration(name: "4 audit log", statements: auditLog),
        PostgresMigration(name: "5 blocked and replaced devices", statements: barredDevices),
        PostgresMigration(name: "6 journeys", statements: journeys),
        PostgresMigration(name: "7 sessions under operators' eyes", statements: operatedSessions),
        PostgresMigration(name: "8 two-party PINs", statements: pinHardening),
        PostgresMigration(name: "9 journeys that are stopped", statements: stoppedJourneys),
        PostgresMigration(name: "10 what journeys have had signed", statements: signedJourneys),
        PostgresMigration(name: "11 algorithms of devices", statements: algorithms),
        PostgresMigration(name: "12 keys of journeys by user", statements: keysByUser),
        PostgresMigration(name: "13 families of refresh tokens stay", statements: keptFamilies),
    ]
}
