import Hummingbird
import NightlatchRelyingParty
import NightlatchServer
import NightlatchWire

extension ConsoleRoutes {
    func addDevices(to routes: RouteGroup) {
        page(.device, on: routes) { request throws(ConsoleRefusal) in
            let device = try await device(of: request)
            return ConsolePage(
                template: .device, title: device.name.rawValue, section: .users,
                parents: parents(of: device.user), content: DeviceContent(device, links: links) { request.caller.mayOpen($0) })
        }
        for change in DeviceChangeForm.allCases {
            page(change.path, on: routes) { request throws(ConsoleRefusal) in
                confirmation(of: change, for: try await device(of: request))
            }
            action(change.path, on: routes) { request throws(ConsoleRefusal) in
                let (user, id): (UserID, DeviceID) = (try request.identifier("user"), try request.identifier("id"))
                let reason = change == .unblock ? try request.optionalReason() : try request.reason()
                let administration = administration(of: request, because: reason)
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
        page(.renameDevice, on: routes) { request throws(ConsoleRefusal) in
            renaming(subject(try await device(of: request)), at: .renameDevice)
        }
        action(.renameDevice, on: routes) { request throws(ConsoleRefusal) in
            let device = try await device(of: request)
            let text = request.fields.fields["name"] ?? ""
            guard let name = DeviceName(rawValue: text) else {
                return .page(renaming(subject(device), at: .renameDevice, to: text, problem: .deviceNameRefused))
            }
            let administration = administration(of: request)
            _ = try await administer { () async throws(AdministrationError) in
                try await administration.rename(device.id, of: device.user, to: name)
            }
            return .done(at: links.device(device.id, of: device.user, saying: .deviceRenamed))
        }
    }

    private func device(of request: ConsoleRequest) async throws(ConsoleRefusal) -> DeviceRecord {
        let (user, id): (UserID, DeviceID) = (try request.identifier("user"), try request.identifier("id"))
        return try await administer { () async throws(AdministrationError) in
            try await administration.device(id, of: user)
        }
    }

    private func confirmation(of change: DeviceChangeForm, for device: DeviceRecord) -> ConsolePage {
        confirmation(
            for: subject(device), title: change.question, effects: change.effects, action: change.path,
            verb: change.verb, isGrave: change != .unblock, isReasonRequired: change != .unblock)
    }

    private func subject(_ device: DeviceRecord) -> ConsoleSubject {
        ConsoleSubject(
            user: device.user, name: device.name, id: Fact("Device id", device.id.rawValue),
            address: links.device(device.id, of: device.user))
    }
}

extension ConsoleLinks {
    /// Returns the address of a device's page, with a message about an action.
    fileprivate func device(_ id: DeviceID, of user: UserID, saying message: ConsoleMessage) -> String {
        link(.device, ("user", user.rawValue), ("id", id.rawValue), (ConsoleMessage.field, message.rawValue))
    }
}
