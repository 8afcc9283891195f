import Foundation
import NightlatchRelyingParty
import NightlatchWire
import Testing

@Suite("Lists of devices")
struct DeviceListTests {
    @Test("The longest list there can be is read by clients")
    func longest() throws {
        // 64 characters of four bytes, of which JSON makes five.
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
        "No policy allows more devices than a list can hold",
        arguments: [(0, false), (1, true), (100, true), (101, false)])
    func policy(count: Int, isAccepted: Bool) {
        #expect((ActiveDeviceLimit(count) != nil) == isAccepted)
    }
}
