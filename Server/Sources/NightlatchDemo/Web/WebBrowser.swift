import Foundation

/// The browser of the user at this machine.
enum WebBrowser {
    /// Opens an address in the browser. Does nothing if there is no screen or no browser: the caller also prints the
    /// address.
    static func open(_ url: String) {
        let environment = ProcessInfo.processInfo.environment
        let isMac = FileManager.default.isExecutableFile(atPath: "/usr/bin/open")
        guard isMac || environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else { return }
        let program = Process()
        program.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        program.arguments = [isMac ? "open" : "xdg-open", url]
        program.standardInput = FileHandle.nullDevice
        program.standardOutput = FileHandle.nullDevice
        program.standardError = FileHandle.nullDevice
        do {
            try program.run()
        } catch {
            return
        }
    }
}
