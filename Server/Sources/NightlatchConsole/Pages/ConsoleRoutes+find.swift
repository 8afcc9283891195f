import Hummingbird
import NightlatchRelyingParty
import NightlatchServer
import NightlatchWire

extension ConsoleRoutes {
    /// The largest number of rows of each kind on the page of a search.
    private static var foundCount: Int { 10 }

    func addFind(to routes: RouteGroup) {
        page(.find, on: routes) { request throws(ConsoleRefusal) in
            let text = try ListFields(request).text("text") ?? ""
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
                    return (users.elements, Array((byID.elements + others).prefix(Self.foundCount)))
                }
            }
            return ConsolePage(
                template: .find, title: text.isEmpty ? "Find" : "Found for “\(text)”", section: .overview,
                content: FindContent(
                    form: .find(text, links: links), text: text, users: users.map { ShownUser($0, links: links) },
                    noUsers: "No user id begins with “\(text)”.",
                    devices: devices.map { ShownDevice($0, links: links) },
                    noDevices: "No device’s name or id begins with “\(text)”.",
                    allUsers: links.link(.users, ("prefix", text)), allDevices: links.link(.devices, ("name", text)),
                    userCaption: "The first \(Self.foundCount) users whose id begins with it",
                    deviceCaption: "The first \(Self.foundCount) devices whose id or name begins with it"))
        }
    }
}

/// The values for the template of a search.
private struct FindContent {
    let form: SearchForm
    let text: String
    let users: [ShownUser]
    let noUsers: String
    let devices: [ShownDevice]
    let noDevices: String
    let isOfAllUsers = true
    let allUsers: String
    let allDevices: String
    let userCaption: String
    let deviceCaption: String
}

extension SearchForm {
    /// The form that finds users and devices.
    static func find(_ text: String?, links: ConsoleLinks) -> SearchForm {
        SearchForm(
            action: links.link(.find), button: "Find",
            fields: [
                .text(
                    "text", "Find a user or device", text, limit: 256,
                    hint: "The beginning of a user id, of a device’s name, or of a device id (at least 4 digits). "
                        + "Capital and small letters are alike.")
            ])
    }
}
