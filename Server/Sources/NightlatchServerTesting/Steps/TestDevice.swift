package import NightlatchWire

/// The two keys of a device in a test.
package struct TestDevice: Sendable {
    package var key: TestKey
    package var possession: TestKey
    package var algorithm: SignatureAlgorithm

    package init(
        key: TestKey = .newEC(),
        possession: TestKey = .newEC(),
        algorithm: SignatureAlgorithm = .es256
    ) {
        self.key = key
        self.possession = possession
        self.algorithm = algorithm
    }
}
