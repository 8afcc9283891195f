/// A migration of the schema, run in one transaction. A released migration is never edited; changes are new migrations.
struct SQLiteMigration {
    /// The name with which the database records that the migration was applied.
    let name: String
    let statements: String

    /// All migrations, in the order in which they are applied.
    static let all = [
        SQLiteMigration(name: "1 users, devices, ceremonies, tokens", statements: version1),
        SQLiteMigration(name: "2 one family a device, readiness", statements: version2),
        SQLiteMigration(name: "3 transactions", statements: transactions),
        SQLiteMigration(name: "4 signing key rotation, logins of families, passwords", statements: tokensAndPasswords),
        SQLiteMigration(name: "5 audit log", statements: auditLog),
        SQLiteMigration(name: "6 blocked and replaced devices", statements: stoppedDevices),
        SQLiteMigration(name: "7 journeys", statements: journeys),
        SQLiteMigration(name: "8 sessions under operators' eyes", statements: operatedSessions),
        SQLiteMigration(name: "9 two-party PINs", statements: pinHardening),
        SQLiteMigration(name: "10 journeys that are stopped", statements: stoppedJourneys),
        SQLiteMigration(name: "11 what journeys have had signed", statements: signedJourneys),
        SQLiteMigration(name: "12 families beside their devices", statements: familiesOfDevices),
        SQLiteMigration(name: "13 used challenges in the order of their expiry", statements: challengesByExpiry),
        SQLiteMigration(name: "14 algorithms of devices", statements: algorithms),
        SQLiteMigration(name: "15 used challenges with the columns of their key first", statements: challengesByKey),
        SQLiteMigration(name: "16 keys of journeys by user", statements: keysByUser),
        SQLiteMigration(name: "17 apps", statements: apps),
        SQLiteMigration(name: "18 authorization codes and grants of apps", statements: appGrants),
        SQLiteMigration(name: "19 times of grants, grants by app", statements: rotatedGrants),
        SQLiteMigration(name: "20 remote logins", statements: remoteLogins),
        SQLiteMigration(name: "21 profiles of users", statements: userProfiles),
        SQLiteMigration(name: "22 policies of apps and users", statements: policies),
        SQLiteMigration(name: "23 searched and counted lists", statements: lists),
        SQLiteMigration(name: "24 personal parts of audit entries, deletion of users", statements: deletedUsers),
        SQLiteMigration(name: "25 imported password hashes", statements: importedPasswords),
        SQLiteMigration(name: "26 API keys", statements: apiKeys),
        SQLiteMigration(name: "27 webhooks and the events that wait for them", statements: webhooks),
        SQLiteMigration(name: "28 rotation of the master key", statements: masterKeys),
        SQLiteMigration(name: "29 operators", statements: operators),
    ]
}
