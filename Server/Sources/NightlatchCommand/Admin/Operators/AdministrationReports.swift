import NightlatchProgram
import NightlatchRelyingParty
import NightlatchWire

/// A page of a list.
struct PageReport<Element: Encodable>: Encodable {
    let entries: [Element]
    /// The argument that gets the next page; nil on the last page.
    let next: String?
}

extension Table {
    init(of devices: [DeviceRecord]) {
        self.init("DEVICE", "STATUS", "BOUND", "LAST LOGIN", "NAME")
        for device in devices {
            add(
                device.id.rawValue, DeviceSummary.Status(device.stop).rawValue, device.boundAt.shown,
                device.lastLoginAt?.shown ?? "never", device.name.rawValue)
        }
    }

    init(of transactions: [RecordedTransaction]) {
        self.init("TRANSACTION", "STATE", "CREATED", "ENDED", "WHAT")
        for transaction in transactions {
            add(
                transaction.id.rawValue, transaction.state.rawValue, transaction.createdAt.shown,
                transaction.endedAt?.shown ?? "-", transaction.details.summary)
        }
    }
}
