package import NightlatchWire

/// A device of a test: its two keys.
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
