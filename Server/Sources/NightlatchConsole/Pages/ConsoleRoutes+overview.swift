import Hummingbird
import NightlatchRelyingParty
import NightlatchServer
import NightlatchWire

extension ConsoleRoutes {
    /// The maximum number of audit entries on a page about another subject.
    static var eventCount: Int { 10 }

    func addOverview(to routes: RouteGroup) {
        page(.overview, on: routes) { _ throws(ConsoleRefusal) in
            // The page shows the figures even if the store cannot be written, because it may still be readable.
            let isReady = await isReady()
            let overview = try await administer { () async throws(AdministrationError) in
                try await administration.overview(entryCount: Self.eventCount)
            }
            return ConsolePage(
                template: .overview, title: "Overview", section: .overview,
                content: OverviewContent(
                    overview, isReady: isReady, hasJourneys: configuration.journeys != nil, links: links))
        }
        page(.policy, on: routes) { _ throws(ConsoleRefusal) in
            ConsolePage(
                template: .policy, title: "Policy", section: .policy,
                content: PolicyContent(
                    groups: PolicyGroup.all(of: configuration),
                    apps: configuration.clients.sorted { $0.rawValue < $1.rawValue }.map { client in
                        ConsolePage.Link(text: client.rawValue, address: links.policy(of: .app(client)))
                    }))
        }
    }

    private func isReady() async -> Bool {
        do throws(RelyingPartyStoreError) {
            try await readiness.require()
            return true
        } catch {
            return false
        }
    }
}

/// The values for the template of the policy.
private struct PolicyContent {
    let groups: [PolicyGroup]
    /// The pages of the policies of the apps that the settings name.
    let apps: [ConsolePage.Link]
}
