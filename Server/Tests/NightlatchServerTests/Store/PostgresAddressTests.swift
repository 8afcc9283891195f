import NightlatchPostgres
import Testing

@Suite("The address of a PostgreSQL database")
struct PostgresAddressTests {
    @Test(
        "A password in the address does not appear in a description, dump or interpolation",
        arguments: [
            "postgres://app:hunter2@db.example:5433/nightlatch?sslmode=verify-full",
            "postgresql://app@db.example:5433/nightlatch?password=hunter2",
            "postgres://app@db.example:5433/nightlatch?sslpassword=hunter2",
        ])
    func secrecy(uri: String) throws {
        let address = try #require(PostgresAddress(uri))
        #expect(address.holdsPassword)
        var dumped = ""
        dump(address, to: &dumped)
        for text in ["\(address)", String(reflecting: address), String(describing: address), dumped] {
            #expect(!text.contains("hunter2"))
        }
        #expect("\(address)" == "postgres://app@db.example:5433/nightlatch")
    }

    @Test("Sockets, several hosts, services and settings of the environment need no password")
    func others() throws {
        for uri in [
            "postgres:///nightlatch?host=/run/postgresql",
            "postgresql://a,b:5433/nightlatch?target_session_attrs=read-write",
            "postgres:///?service=nightlatch", "postgres://",
        ] {
            #expect(try !#require(PostgresAddress(uri)).holdsPassword)
        }
    }

    @Test(
        "An address that libpq cannot parse is refused",
        arguments: [
            "", "mysql://a/b", "host=a dbname=b", "postgres://app:hun%ter2@db/n", "postgres://a/b?no_such_option=1",
            "postgres://a/b?sslmode", "postgres://[::1/b", "postgres://a/b\0c", "sqlite:postgres://",
        ])
    func malformed(uri: String) {
        #expect(PostgresAddress(uri) == nil)
    }
}
