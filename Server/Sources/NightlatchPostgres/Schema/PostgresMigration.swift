/// A step of the schema. A released migration is never edited; changes are new migrations.
///
/// Identifiers are compared byte by byte, as in the program. Times are seconds since 1970, as on the wire. Tables with
/// frequent updates leave room in their pages, so that most updates change no index.
struct PostgresMigration {
    /// The name with which the database records that the migration was applied.
    let name: String
    /// The statements, in order.
    let statements: [String]

    /// All migrations, in the order in which they are applied.
    static let all = [
        PostgresMigration(name: "1 users, devices, ceremonies, tokens", statements: version1),
        PostgresMigration(name: "2 transactions", statements: transactions),
        PostgresMigration(
            name: "3 signing key rotation, logins of families, passwords", statements: tokensAndPasswords),
        PostgresMigration(name: "4 audit log", statements: auditLog),
        PostgresMigration(name: "5 blocked and replaced devices", statements: stoppedDevices),
        PostgresMigration(name: "6 journeys", statements: journeys),
        PostgresMigration(name: "7 sessions under operators' eyes", statements: operatedSessions),
        PostgresMigration(name: "8 two-party PINs", statements: pinHardening),
        PostgresMigration(name: "9 journeys that are stopped", statements: stoppedJourneys),
        PostgresMigration(name: "10 what journeys have had signed", statements: signedJourneys),
        PostgresMigration(name: "11 algorithms of devices", statements: algorithms),
        PostgresMigration(name: "12 keys of journeys by user", statements: keysByUser),
        PostgresMigration(name: "13 families of refresh tokens stay", statements: keptFamilies),
        PostgresMigration(name: "14 apps", statements: apps),
        PostgresMigration(name: "15 authorization codes and grants of apps", statements: appGrants),
        PostgresMigration(name: "16 times of grants, grants by app", statements: rotatedGrants),
        PostgresMigration(name: "17 remote logins", statements: remoteLogins),
        PostgresMigration(name: "18 profiles of users", statements: userProfiles),
        PostgresMigration(name: "19 policies of apps and users", statements: policies),
        PostgresMigration(name: "20 searched and counted lists", statements: lists),
        PostgresMigration(name: "21 personal parts of audit entries, deletion of users", statements: deletedUsers),
        PostgresMigration(name: "22 imported password hashes", statements: importedPasswords),
        PostgresMigration(name: "23 API keys", statements: apiKeys),
        PostgresMigration(name: "24 webhooks and the events that wait for them", statements: webhooks),
        PostgresMigration(name: "25 rotation of the master key", statements: masterKeys),
        PostgresMigration(name: "26 operators", statements: operators),
    ]
}
