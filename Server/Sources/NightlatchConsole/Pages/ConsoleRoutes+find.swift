import Hummingbird
import NightlatchRelyingParty
import NightlatchServer
import NightlatchWire

extension ConsoleRoutes {
    /// The largest number of rows of each kind on the page of a search.
    private static var foundCount: Int { 10 }

    func addFind(to routes: RouteGroup) {
        page(.find, on: routes) { request throws(ConsoleRefusal) in
            let text = ListFields(request).text("text") ?? ""
            var (users, devices): ([UserRecord], [DeviceRecord]) = ([], [])
            if !text.isEmpty {
                (users, devices) = try await administer { () async throws(AdministrationError) in
                    let prefix = SearchText(text)
                    let users = try await administration.users(matching: prefix, pageLength: Self.foundCount)
                    let named = try await administration.devices(
                        matching: DeviceFilter(name: prefix), pageLength: Self.foundCount)
                    guard let digits = DeviceList.idDigits(text) else { return (users.elements, named.elements) }
                    let byID = try await administration.devices(
                        matching: DeviceFilter(id: digits), pageLength: Self.foundCount)
                    let others = named.elements.filter { !byID.elements.contains($0) }
                    return (users.elements, byID.elements + others)
                }
            }
            return ConsolePage(
                template: .find, title: text.isEmpty ? "Find" : "Found for “\(text)”", section: .overview,
                content: FindContent(
                    search: links.link(.find), text: text, users: users.map { ShownUser($0, links: links) },
                    devices: devices.map { ListedDevice($0, links: links) },
                    allUsers: links.link(.users, ("prefix", text)), allDevices: links.link(.devices, ("name", text)),
                    userCaption: "The first \(Self.foundCount) users whose id begins with it",
                    deviceCaption: "The first \(Self.foundCount) devices whose id or name begins with it"))
        }
    }
}

/// The values for the template of a search.
private struct FindContent {
    let search: String
    let text: String
    let users: [ShownUser]
    let devices: [ListedDevice]
    let allUsers: String
    let allDevices: String
    let userCaption: String
    let deviceCaption: String
}
