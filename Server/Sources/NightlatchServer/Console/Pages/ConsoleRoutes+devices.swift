import Hummingbird
import NightlatchWire

extension ConsoleRoutes {
    func addDevices(to router: some RouterMethods<Context>) {
        page(.device, on: router) { request throws(ConsoleRefusal) in
            let device = try await device(of: request)
            return ConsolePage(
                template: .device, title: device.name.rawValue, section: .users,
                parents: parents(of: device), content: DeviceContent(device, links: links))
        }
        for change in DeviceChangeForm.allCases {
            page(change.path, on: router) { request throws(ConsoleRefusal) in
                confirmation(of: change, for: try await device(of: request))
            }
            action(change.path, on: router) { request throws(ConsoleRefusal) in
                let (user, id): (UserID, DeviceID) = (try request.identifier("user"), try request.identifier("id"))
                _ = try await administer { () async throws(AdministrationError) in
                    switch change {
                    case .revoke: try await administration.revoke(id, of: user)
                    case .block: try await administration.block(id, of: user)
                    case .unblock: try await administration.unblock(id, of: user)
                    }
                }
                return .done(at: links.device(id, of: user, saying: change.message))
            }
        }
        page(.renameDevice, on: router) { request throws(ConsoleRefusal) in
            renaming(try await device(of: request))
        }
        action(.renameDevice, on: router) { request throws(ConsoleRefusal) in
            let device = try await device(of: request)
            let text = request.fields.fields["name"] ?? ""
            guard let name = DeviceName(rawValue: text) else {
                return .page(renaming(device, to: text, problem: .deviceNameRefused))
            }
            _ = try await administer { () async throws(AdministrationError) in
                try await administration.rename(device.id, of: device.user, to: name)
            }
            return .done(at: links.device(device.id, of: device.user, saying: .deviceRenamed))
        }
    }

    private func device(of request: ConsoleRequest) async throws(ConsoleRefusal) -> RegisteredDevice {
        let (user, id): (UserID, DeviceID) = (try request.identifier("user"), try request.identifier("id"))
        return try await administer { () async throws(AdministrationError) in
            try await administration.device(id, of: user)
        }
    }

    private func parents(of device: RegisteredDevice) -> [ConsolePage.Link] {
        [
            .init(text: "Users", address: links.link(.users)),
            .init(text: device.user.rawValue, address: links.user(device.user)),
        ]
    }

    private func parentsAndItself(of device: RegisteredDevice) -> [ConsolePage.Link] {
        parents(of: device) + [.init(text: device.name.rawValue, address: links.device(device.id, of: device.user))]
    }

    private func confirmation(of change: DeviceChangeForm, for device: RegisteredDevice) -> ConsolePage {
        ConsolePage(
            template: .confirmation, title: change.question, section: .users, parents: parentsAndItself(of: device),
            content: ConfirmationContent(
                facts: [
                    Fact("Device", device.name.rawValue), Fact("User", device.user.rawValue),
                    Fact("Device id", device.id.rawValue),
                ],
                effects: change.effects, action: links.link(change.path),
                fields: [Fact("user", device.user.rawValue), Fact("id", device.id.rawValue)], verb: change.verb,
                isGrave: change != .unblock, back: links.device(device.id, of: device.user)))
    }

    private func renaming(
        _ device: RegisteredDevice,
        to name: String? = nil,
        problem: ConsoleRefusal? = nil
    ) -> ConsolePage {
        ConsolePage(
            template: .renaming, title: "Rename this device", section: .users, parents: parentsAndItself(of: device),
            status: problem?.status ?? .ok,
            content: RenamingContent(
                action: links.link(.renameDevice), user: device.user.rawValue, id: device.id.rawValue,
                name: name ?? device.name.rawValue, problem: problem?.sentence,
                back: links.device(device.id, of: device.user)))
    }
}

/// What the page for another name names.
struct RenamingContent {
    let action: String
    let user: String
    let id: String
    let name: String
    let problem: String?
    let back: String
}

extension ConsoleLinks {
    /// The page on a device, saying what was done with it.
    fileprivate func device(_ id: DeviceID, of user: UserID, saying message: ConsoleMessage) -> String {
        link(.device, ("user", user.rawValue), ("id", id.rawValue), (ConsoleMessage.field, message.rawValue))
    }
}
