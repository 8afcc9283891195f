import Foundation
import NightlatchPostgres
import NightlatchRelyingParty
import NightlatchWire

/// Binds devices by calling the store directly, in a PostgreSQL database that a server has set up.
struct BoundLoadDevices {
    let count: Int
    /// The database's address, in the format of `--database`.
    let address: String
    private static let connectionCount = 8

    func make() async throws -> [LoadDevice] {
        guard let address = PostgresAddress(address), let name = DeviceName(rawValue: "Phone") else {
            throw CocoaError(.coderInvalidValue)
        }
        let store = try await PostgresStore.open(address, connectionCount: Self.connectionCount)
        defer { store.close() }
        // Binds in parallel, because each binding waits for its commit.
        return try await withThrowingTaskGroup(of: [LoadDevice].self) { group in
            for first in 0..<Self.connectionCount {
                group.addTask {
                    var devices: [LoadDevice] = []
                    for number in stride(from: first, to: count, by: Self.connectionCount) {
                        let device = try LoadDevice(number: number)
                        devices.append(device.bound(as: try await bind(device, named: name, in: store)))
                    }
                    return devices
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    private func bind(_ device: LoadDevice, named name: DeviceName, in store: PostgresStore) async throws -> DeviceID {
        let code = EnrolmentCodeMAC(Challenge.random().bytes)
        let expiresAt = try await store.createEnrolmentCode(
            NewEnrolmentCode(mac: code, user: device.user, actor: .backend, life: .seconds(600)))
        let binding = NewBinding(
            enrolmentCode: code, user: device.user, client: .default, key: device.publicKey,
            algorithm: .es256, possessionKey: device.possessionKeyID, name: name, activeDeviceLimit: 1)
        let use = ChallengeUse(
            challenge: .random(), message: MessageHash(Challenge.random().bytes),
            expiresAt: expiresAt ?? NumericDate(Date()))
        guard case .bound(let id) = try await store.bind(binding, consuming: use) else {
            throw CocoaError(.coderInvalidValue)
        }
        return id
    }
}
