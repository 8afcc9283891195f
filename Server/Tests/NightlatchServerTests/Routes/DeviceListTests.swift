import Foundation
import NightlatchRelyingParty
import NightlatchWire
import Testing

@Suite("Lists of devices")
struct DeviceListTests {
    @Test("Clients can read the longest possible list")
    func longest() throws {
        // 64 characters of four bytes, each of which takes five bytes in JSON.
        let name = try #require(DeviceName(rawValue: String(repeating: "\"\u{20D0}", count: 64)))
        let late = NumericDate(secondsSince1970: 99_999_999_999)
        let count = ActiveDeviceLimit.range.upperBound + OwnDevices.revokedDeviceLimit
        let list = DeviceList(
            devices: (0..<count).map { _ in
                DeviceSummary(
                    id: .random(), name: name, boundAt: late, lastLoginAt: late, status: .revoked, isCurrent: false)
            })
        #expect(try StrictJSON.decode(DeviceList.self, from: StrictJSON.encode(list)) == list)
    }

    @Test(
        "No policy allows more devices than fit into a list",
        arguments: [(0, false), (1, true), (100, true), (101, false)])
    func policy(count: Int, isAccepted: Bool) {
        #expect((ActiveDeviceLimit(count) != nil) == isAccepted)
    }
}
