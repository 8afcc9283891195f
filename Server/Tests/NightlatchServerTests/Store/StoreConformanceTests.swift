import Foundation
import NightlatchRelyingParty
import NightlatchServerTesting
import Testing

@Suite("The requirements of every store")
struct StoreRequirementTests {
    @Test("Each requirement has its own name")
    func names() {
        let names = StoreRequirement.all.map(\.testDescription)
        #expect(!names.contains("") && Set(names).count == names.count)
    }

    @Test("Each subject of the requirements has a suite in this file")
    func suites() throws {
        let list = URL(filePath: #filePath)
            .appending(path: "../../../../Sources/NightlatchServerTesting/StoreRequirement+all.swift").standardized
        let subjects = try String(contentsOf: list, encoding: .utf8).matches(of: /(\w+)\.requirements,/).map(\.1)
        let here = try String(contentsOfFile: #filePath, encoding: .utf8)
        #expect(subjects.count > 20)
        for subject in subjects { #expect(here.contains("arguments: \(subject).requirements,")) }
    }
}

// Each suite runs the requirements of one subject over every store.

@Suite("API keys in every store")
struct APIKeyConformanceTests {
    @Test("Each store keeps each requirement", arguments: APIKeyConformance.requirements, StoreKind.allCases)
    func keeps(requirement: StoreRequirement, kind: StoreKind) async throws {
        try await kind.with { try await requirement.check($0) }
    }
}

@Suite("Apps in every store")
struct AppConformanceTests {
    @Test("Each store keeps each requirement", arguments: AppConformance.requirements, StoreKind.allCases)
    func keeps(requirement: StoreRequirement, kind: StoreKind) async throws {
        try await kind.with { try await requirement.check($0) }
    }
}

@Suite("Operators in every store")
struct OperatorConformanceTests {
    @Test("Each store keeps each requirement", arguments: OperatorConformance.requirements, StoreKind.allCases)
    func keeps(requirement: StoreRequirement, kind: StoreKind) async throws {
        try await kind.with { try await requirement.check($0) }
    }
}

@Suite("Authorization codes and grants of apps in every store")
struct AppGrantConformanceTests {
    @Test("Each store keeps each requirement", arguments: AppGrantConformance.requirements, StoreKind.allCases)
    func keeps(requirement: StoreRequirement, kind: StoreKind) async throws {
        try await kind.with { try await requirement.check($0) }
    }
}

@Suite("The master key's state in every store")
struct MasterKeyConformanceTests {
    @Test("Each store keeps each requirement", arguments: MasterKeyConformance.requirements, StoreKind.allCases)
    func keeps(requirement: StoreRequirement, kind: StoreKind) async throws {
        try await kind.with { try await requirement.check($0) }
    }
}

@Suite("Sealing again at the same time as other verbs in every store")
struct MasterKeyRaceConformanceTests {
    @Test("Each store keeps each requirement", arguments: MasterKeyRaceConformance.requirements, StoreKind.allCases)
    func keeps(requirement: StoreRequirement, kind: StoreKind) async throws {
        try await kind.with { try await requirement.check($0) }
    }
}

@Suite("The audit log of every store")
struct AuditConformanceTests {
    @Test("Each store keeps each requirement", arguments: AuditConformance.requirements, StoreKind.allCases)
    func keeps(requirement: StoreRequirement, kind: StoreKind) async throws {
        try await kind.with { try await requirement.check($0) }
    }
}

@Suite("Bindings in every store")
struct BindingConformanceTests {
    @Test("Each store keeps each requirement", arguments: BindingConformance.requirements, StoreKind.allCases)
    func keeps(requirement: StoreRequirement, kind: StoreKind) async throws {
        try await kind.with { try await requirement.check($0) }
    }
}

@Suite("Ended console sessions in every store")
struct ConsoleSessionConformanceTests {
    @Test("Each store keeps each requirement", arguments: ConsoleSessionConformance.requirements, StoreKind.allCases)
    func keeps(requirement: StoreRequirement, kind: StoreKind) async throws {
        try await kind.with { try await requirement.check($0) }
    }
}

@Suite("Blocked and renamed devices in every store")
struct DeviceChangeConformanceTests {
    @Test("Each store keeps each requirement", arguments: DeviceChangeConformance.requirements, StoreKind.allCases)
    func keeps(requirement: StoreRequirement, kind: StoreKind) async throws {
        try await kind.with { try await requirement.check($0) }
    }
}

@Suite("The policy of one device for each user in every store")
struct DevicePolicyConformanceTests {
    @Test("Each store keeps each requirement", arguments: DevicePolicyConformance.requirements, StoreKind.allCases)
    func keeps(requirement: StoreRequirement, kind: StoreKind) async throws {
        try await kind.with { try await requirement.check($0) }
    }
}

@Suite("Expiry times that were written while the clock was ahead, in every store")
struct ExpiryConformanceTests {
    @Test("Each store keeps each requirement", arguments: ExpiryConformance.requirements, StoreKind.allCases)
    func keeps(requirement: StoreRequirement, kind: StoreKind) async throws {
        try await kind.with { try await requirement.check($0) }
    }
}

@Suite("Journeys in every store")
struct JourneyConformanceTests {
    @Test("Each store keeps each requirement", arguments: JourneyConformance.requirements, StoreKind.allCases)
    func keeps(requirement: StoreRequirement, kind: StoreKind) async throws {
        try await kind.with { try await requirement.check($0) }
    }
}

@Suite("Users that journeys create, in every store")
struct JourneyCreationConformanceTests {
    @Test("Each store keeps each requirement", arguments: JourneyCreationConformance.requirements, StoreKind.allCases)
    func keeps(requirement: StoreRequirement, kind: StoreKind) async throws {
        try await kind.with { try await requirement.check($0) }
    }
}

@Suite("Grounds of journeys in every store")
struct JourneyGroundConformanceTests {
    @Test("Each store keeps each requirement", arguments: JourneyGroundConformance.requirements, StoreKind.allCases)
    func keeps(requirement: StoreRequirement, kind: StoreKind) async throws {
        try await kind.with { try await requirement.check($0) }
    }
}

@Suite("Journey sessions in every store")
struct JourneySessionConformanceTests {
    @Test("Each store keeps each requirement", arguments: JourneySessionConformance.requirements, StoreKind.allCases)
    func keeps(requirement: StoreRequirement, kind: StoreKind) async throws {
        try await kind.with { try await requirement.check($0) }
    }
}

@Suite("The operators' lists and figures in every store")
struct ListConformanceTests {
    @Test("Each store keeps each requirement", arguments: ListConformance.requirements, StoreKind.allCases)
    func keeps(requirement: StoreRequirement, kind: StoreKind) async throws {
        try await kind.with { try await requirement.check($0) }
    }
}

@Suite("Logins and signing keys in every store")
struct LoginConformanceTests {
    @Test("Each store keeps each requirement", arguments: LoginConformance.requirements, StoreKind.allCases)
    func keeps(requirement: StoreRequirement, kind: StoreKind) async throws {
        try await kind.with { try await requirement.check($0) }
    }
}

@Suite("Passwords in every store")
struct PasswordConformanceTests {
    @Test("Each store keeps each requirement", arguments: PasswordConformance.requirements, StoreKind.allCases)
    func keeps(requirement: StoreRequirement, kind: StoreKind) async throws {
        try await kind.with { try await requirement.check($0) }
    }
}

@Suite("Enrolment codes for two-party PINs in every store")
struct PinCodeConformanceTests {
    @Test("Each store keeps each requirement", arguments: PinCodeConformance.requirements, StoreKind.allCases)
    func keeps(requirement: StoreRequirement, kind: StoreKind) async throws {
        try await kind.with { try await requirement.check($0) }
    }
}

@Suite("Guesses at two-party PINs in every store")
struct PinConformanceTests {
    @Test("Each store keeps each requirement", arguments: PinConformance.requirements, StoreKind.allCases)
    func keeps(requirement: StoreRequirement, kind: StoreKind) async throws {
        try await kind.with { try await requirement.check($0) }
    }
}

@Suite("The end of two-party PINs in every store")
struct PinEndConformanceTests {
    @Test("Each store keeps each requirement", arguments: PinEndConformance.requirements, StoreKind.allCases)
    func keeps(requirement: StoreRequirement, kind: StoreKind) async throws {
        try await kind.with { try await requirement.check($0) }
    }
}

@Suite("Policies of apps and users in every store")
struct PolicyConformanceTests {
    @Test("Each store keeps each requirement", arguments: PolicyConformance.requirements, StoreKind.allCases)
    func keeps(requirement: StoreRequirement, kind: StoreKind) async throws {
        try await kind.with { try await requirement.check($0) }
    }
}

@Suite("Rounds of guesses at two-party PINs in every store")
struct PinRoundConformanceTests {
    @Test("Each store keeps each requirement", arguments: PinRoundConformance.requirements, StoreKind.allCases)
    func keeps(requirement: StoreRequirement, kind: StoreKind) async throws {
        try await kind.with { try await requirement.check($0) }
    }
}

@Suite("Profiles of users in every store")
struct ProfileConformanceTests {
    @Test("Each store keeps each requirement", arguments: ProfileConformance.requirements, StoreKind.allCases)
    func keeps(requirement: StoreRequirement, kind: StoreKind) async throws {
        try await kind.with { try await requirement.check($0) }
    }
}

@Suite("Concurrent operations in every store")
struct RaceConformanceTests {
    @Test("Each store keeps each requirement", arguments: RaceConformance.requirements, StoreKind.allCases)
    func keeps(requirement: StoreRequirement, kind: StoreKind) async throws {
        try await kind.with { try await requirement.check($0) }
    }
}

@Suite("Refreshing and revoking in every store")
struct RefreshConformanceTests {
    @Test("Each store keeps each requirement", arguments: RefreshConformance.requirements, StoreKind.allCases)
    func keeps(requirement: StoreRequirement, kind: StoreKind) async throws {
        try await kind.with { try await requirement.check($0) }
    }
}

@Suite("Continuing with remote logins in every store")
struct RemoteLoginCompletionConformanceTests {
    @Test(
        "Each store keeps each requirement", arguments: RemoteLoginCompletionConformance.requirements,
        StoreKind.allCases)
    func keeps(requirement: StoreRequirement, kind: StoreKind) async throws {
        try await kind.with { try await requirement.check($0) }
    }
}

@Suite("Remote logins in every store")
struct RemoteLoginConformanceTests {
    @Test("Each store keeps each requirement", arguments: RemoteLoginConformance.requirements, StoreKind.allCases)
    func keeps(requirement: StoreRequirement, kind: StoreKind) async throws {
        try await kind.with { try await requirement.check($0) }
    }
}

@Suite("The acceptance of a restored copy in every store")
struct RestoreConformanceTests {
    @Test("Each store keeps each requirement", arguments: RestoreConformance.requirements, StoreKind.allCases)
    func keeps(requirement: StoreRequirement, kind: StoreKind) async throws {
        try await kind.with { try await requirement.check($0) }
    }
}

@Suite("Signing keys in every store")
struct SigningKeyConformanceTests {
    @Test("Each store keeps each requirement", arguments: SigningKeyConformance.requirements, StoreKind.allCases)
    func keeps(requirement: StoreRequirement, kind: StoreKind) async throws {
        try await kind.with { try await requirement.check($0) }
    }
}

@Suite("Transactions in every store")
struct TransactionConformanceTests {
    @Test("Each store keeps each requirement", arguments: TransactionConformance.requirements, StoreKind.allCases)
    func keeps(requirement: StoreRequirement, kind: StoreKind) async throws {
        try await kind.with { try await requirement.check($0) }
    }
}

@Suite("Users in every store")
struct UserConformanceTests {
    @Test("Each store keeps each requirement", arguments: UserConformance.requirements, StoreKind.allCases)
    func keeps(requirement: StoreRequirement, kind: StoreKind) async throws {
        try await kind.with { try await requirement.check($0) }
    }
}

@Suite("The export and the deletion of users in every store")
struct UserDataConformanceTests {
    @Test("Each store keeps each requirement", arguments: UserDataConformance.requirements, StoreKind.allCases)
    func keeps(requirement: StoreRequirement, kind: StoreKind) async throws {
        try await kind.with { try await requirement.check($0) }
    }
}

@Suite("The import of users in every store")
struct UserImportConformanceTests {
    @Test("Each store keeps each requirement", arguments: UserImportConformance.requirements, StoreKind.allCases)
    func keeps(requirement: StoreRequirement, kind: StoreKind) async throws {
        try await kind.with { try await requirement.check($0) }
    }
}

@Suite("Webhooks in every store")
struct WebhookConformanceTests {
    @Test("Each store keeps each requirement", arguments: WebhookConformance.requirements, StoreKind.allCases)
    func keeps(requirement: StoreRequirement, kind: StoreKind) async throws {
        try await kind.with { try await requirement.check($0) }
    }
}

@Suite("Deliveries to webhooks in every store")
struct WebhookDeliveryConformanceTests {
    @Test("Each store keeps each requirement", arguments: WebhookDeliveryConformance.requirements, StoreKind.allCases)
    func keeps(requirement: StoreRequirement, kind: StoreKind) async throws {
        try await kind.with { try await requirement.check($0) }
    }
}

@Suite("The end of waits of deliveries to webhooks in every store")
struct WebhookReliefConformanceTests {
    @Test("Each store keeps each requirement", arguments: WebhookReliefConformance.requirements, StoreKind.allCases)
    func keeps(requirement: StoreRequirement, kind: StoreKind) async throws {
        try await kind.with { try await requirement.check($0) }
    }
}
