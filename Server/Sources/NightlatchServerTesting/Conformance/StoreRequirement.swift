public import NightlatchRelyingParty
public import Testing

/// One rule that every `RelyingPartyStore` keeps. A test of a store runs all of them:
///
/// ```swift
/// @Test(arguments: StoreRequirement.all)
/// func keeps(requirement: StoreRequirement) async throws {
///     try await requirement.check(MyStore(clock: StoreRequirement.clock))
/// }
/// ```
public struct StoreRequirement: Sendable, CustomTestStringConvertible {
    /// The rule as a sentence.
    public let testDescription: String
    private let steps: @Sendable (any RelyingPartyStore) async throws -> Void

    init(_ description: String, _ steps: @escaping @Sendable (any RelyingPartyStore) async throws -> Void) {
        testDescription = description
        self.steps = steps
    }

    /// The clock of the stores under test. It stands still; a rule about time moves it while the rule is checked.
    public static let clock = TestTime.clock

    /// Checks the rule. Each expectation that does not hold is recorded as an issue of the running test.
    ///
    /// - Parameter store: An empty store whose time is ``clock``.
    /// - Throws: The error of the store, or of an expectation that the later steps need.
    public func check(_ store: any RelyingPartyStore) async throws {
        try await steps(store)
    }
}
