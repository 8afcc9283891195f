import Foundation

/// Reports whether unprivileged programs can run in a time namespace, and so skip lockout waits.
///
/// Only Linux has time namespaces. Source: time_namespaces(7), user_namespaces(7).
struct TimeNamespaces {
    private let isAllowed: Bool

    /// Reads the kernel's settings.
    ///
    /// - Parameter settings: The folder of the kernel's settings.
    init(settings: String = "/proc/sys") {
        func number(_ name: String) -> Int? {
            // A kernel without time or user namespaces does not have their settings.
            guard let text = try? String(contentsOfFile: "\(settings)/\(name)", encoding: .utf8) else { return nil }
            return Int(text.trimmingCharacters(in: .whitespacesAndNewlines))
        }
        isAllowed =
            number("user/max_time_namespaces") ?? 0 > 0 && number("user/max_user_namespaces") ?? 0 > 0
            && number("kernel/unprivileged_userns_clone") != 0
    }

    var sentences: [String] {
        isAllowed
            ? [
                "Programs that you start can skip a wait: this system lets them run in a time namespace. The count of "
                    + "failures still holds. To forbid it, run: sysctl user.max_time_namespaces=0."
            ] : []
    }
}
