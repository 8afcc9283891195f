import Foundation
import NightlatchPostgres
import NightlatchServer
import NightlatchWire

/// Devices that are bound over the store's own verbs, in a PostgreSQL database that a server has set up.
struct RegisteredLoadDevices {
    let count: Int
    /// The database, as the command takes it.
    let address: String

    func make() async throws -> [LoadDevice] {
        guard let address = PostgresAddress(address), let name = DeviceName(rawValue: "Phone") else {
            throw CocoaError(.coderInvalidValue)
        }
        let store = try await PostgresStore.open(address)
        defer { store.close() }
        var devices: [LoadDevice] = []
        for number in 0..<count {
            let device = try LoadDevice(number: number)
            devices.append(device.registered(as: try await bind(device, named: name, in: store)))
        }
        return devices
    }

    private func bind(_ device: LoadDevice, named name: DeviceName, in store: PostgresStore) async throws -> DeviceID {
        let code = EnrolmentCodeMAC(Challenge.random().bytes)
        let expiresAt = try await store.createEnrolmentCode(code, for: device.user, by: .backend, life: .seconds(600))
        let binding = NewBinding(
            enrolmentCode: code, user: device.user, client: .default, key: device.publicKey,
            possessionKey: device.possessionKeyID, name: name, activeDeviceLimit: 1)
        let use = ChallengeUse(
            challenge: .random(), message: MessageHash(Challenge.random().bytes), expiresAt: expiresAt)
        guard case .bound(let id) = try await store.bind(binding, consuming: use) else {
            throw CocoaError(.coderInvalidValue)
        }
        return id
    }
}
