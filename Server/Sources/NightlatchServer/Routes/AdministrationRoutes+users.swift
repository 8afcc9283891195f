import HTTPTypes
import Hummingbird
import NightlatchRelyingParty
import NightlatchWire

extension AdministrationRoutes {
    func addUsers(to routes: RouteGroup) {
        routes.serve(.administeredUsers) { request, context in
            let administration = try await administration(
                request, context, .usersRead, query: ["prefix", "cursor", "limit"])
            let prefix = try request.queried("prefix") { UserID(rawValue: $0) }
            let cursor = try request.queried("cursor") { UserID(rawValue: $0) }
            let limit = try request.queriedLimit()
            let found = try await administer { () async throws(AdministrationError) in
                try await administration.users(startingWith: prefix, after: cursor, pageLength: limit)
            }
            return ReportPage(entries: found.elements.map { UserReport($0) }, next: found.next?.rawValue)
        }
        routes.serve(.administeredUser) { request, context in
            let (administration, scopes) = try await admitted(request, context, .usersRead, query: ["user"])
            let id = try request.queriedUser()
            // Personal data only for a key that may read it elsewhere too.
            return try await administer { () async throws(AdministrationError) in
                UserReport(
                    try await administration.user(id),
                    profile: try await scopes.contains(.profilesRead) ? administration.profile(of: id) : nil,
                    devices: try await scopes.contains(.devicesRead) ? administration.devices(of: id) : nil)
            }
        }
    }

    /// The export and the deletion of a user.
    func addUserData(to routes: RouteGroup) {
        routes.on(.exportUser) { request, context in
            let administration = try await administration(request, context, .usersExport)
            let message: UserRequest = try context.operatorRequest(in: request)
            let export = try await administer { () async throws(AdministrationError) in
                try await administration.because(message.reason).beginExport(of: message.user, at: clock.now())
            }
            return Response(status: .ok, headers: [.contentType: "application/json"], body: ResponseBody(export))
        }
        routes.serve(.deleteUser) { request, context in
            let administration = try await administration(request, context, .usersDelete)
            let message: JustifiedUserRequest = try context.operatorRequest(in: request)
            return try await administer { () async throws(AdministrationError) in
                UserDeletionReport(try await administration.deleteUser(message.user, because: message.reason))
            }
        }
    }

    func addDevices(to routes: RouteGroup) {
        routes.serve(.administeredDevices) { request, context in
            let administration = try await administration(request, context, .devicesRead, query: ["user"])
            let user = try request.queriedUser()
            return try await administer { () async throws(AdministrationError) in
                ReportPage(entries: try await administration.devices(of: user).map(DeviceReport.init))
            }
        }
        routes.serve(.administerDeviceName) { request, context in
            let administration = try await administration(request, context, .devicesWrite)
            let (device, message) = (
                try context.deviceID(), try context.operatorRequest(in: request, as: UserDeviceNameRequest.self)
            )
            return try await administer { () async throws(AdministrationError) in
                DeviceReport(try await administration.rename(device, of: message.user, to: message.name))
            }
        }
        routes.serve(.administerDeviceBlock) { request, context in
            let administration = try await administration(request, context, .devicesWrite)
            let (device, message) = (
                try context.deviceID(), try context.operatorRequest(in: request, as: JustifiedUserRequest.self)
            )
            return try await administer { () async throws(AdministrationError) in
                DeviceReport(try await administration.because(message.reason).block(device, of: message.user))
            }
        }
        routes.serve(.administerDeviceUnblock) { request, context in
            let administration = try await administration(request, context, .devicesWrite)
            let (device, message) = (try context.deviceID(), try context.operatorRequest(in: request, as: UserRequest.self))
            return try await administer { () async throws(AdministrationError) in
                DeviceReport(try await administration.because(message.reason).unblock(device, of: message.user))
            }
        }
        routes.serve(.administerDeviceRevocation) { request, context in
            let administration = try await administration(request, context, .devicesRevoke)
            let (device, message) = (
                try context.deviceID(), try context.operatorRequest(in: request, as: JustifiedUserRequest.self)
            )
            return try await administer { () async throws(AdministrationError) in
                DeviceReport(try await administration.because(message.reason).revoke(device, of: message.user))
            }
        }
    }
}

extension RelyingPartyRequestContext {
    /// Returns the device's id in the request's path.
    ///
    /// - Throws: `Refusal.notFound` if the id is malformed.
    fileprivate func deviceID() throws(Refusal) -> DeviceID {
        guard let id = parameters.get("device").flatMap(DeviceID.init) else { throw .notFound }
        return id
    }
}
