import NightlatchWire
import Observation

/// The user's input for binding this device: its name, and an enrolment code that is typed or scanned.
@MainActor @Observable
final class DeviceEntry {
    var name = "My phone"
    var code = ""
    private let work: Work

    /// - Parameter work: Shows a notice after a wrong QR code.
    init(reportingTo work: Work) { self.work = work }

    /// The name and the code. Nil while one of them is not valid.
    var input: (name: DeviceName, code: EnrolmentCode)? {
        guard let name = DeviceName(rawValue: name), let code = EnrolmentCode(code) else { return nil }
        return (name, code)
    }

    /// Takes the text of a QR code.
    func take(scanned text: String) {
        guard let code = EnrolmentCode(text) else {
            work.notice = Notice("This is not an enrolment code. Scan the code that your bank has given you.")
            return
        }
        self.code = code.groupedText
    }
}
