import Foundation
import NightlatchServerProcess

/// A small file system in memory that is soon full.
///
/// It is removed with its last owner, and when this process ends in any way.
final class SmallDisk: Sendable {
    let path: String
    private let input: Pipe

    struct NotMounted: Error {}

    /// Mounts the file system.
    ///
    /// - Throws: ``NotMounted`` if this process may not mount file systems.
    static func make(mebibytes: Int) async throws -> SmallDisk {
        try await ServerFleet.blocking { try SmallDisk(mebibytes: mebibytes) }
    }

    private init(mebibytes: Int) throws {
        let (shell, output) = (Process(), Pipe.ofOneChild())
        input = .ofOneChild()
        path = FileManager.default.temporaryDirectory.path + "/nightlatch-disk-" + UUID().uuidString
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", Self.script, "sh", path, "\(mebibytes)"]
        shell.standardInput = input
        shell.standardOutput = output
        shell.standardError = FileHandle.nullDevice
        try shell.run()
        try output.fileHandleForWriting.close()
        guard output.fileHandleForReading.availableData == Data("mounted\n".utf8) else { throw NotMounted() }
    }

    deinit {
        // No other code writes to the pipe. If it is closed already, the file system has been removed.
        try? input.fileHandleForWriting.close()
    }

    /// Takes all the room that is left.
    func fill() throws {
        let block = Data(count: 1 << 12)
        let filler = try FileHandle(forWritingTo: makeFiller())
        do {
            while true { try filler.write(contentsOf: block) }
        } catch CocoaError.fileWriteOutOfSpace {
            try filler.close()
        }
    }

    /// Frees the room that ``fill()`` took.
    func makeRoom() throws { try FileManager.default.removeItem(atPath: filler) }

    private var filler: String { path + "/filler" }

    private func makeFiller() throws -> URL {
        try Data().write(to: URL(fileURLWithPath: filler))
        return URL(fileURLWithPath: filler)
    }

    /// The script waits for processes that still use the file system: a server that ends at the same time has files to
    /// remove.
    private static let script = """
        trap '' INT TERM HUP
        mkdir "$1"
        if mount -t tmpfs -o size="$2m",mode=1777 nightlatch-test "$1"; then
            echo mounted
            cat >/dev/null
            for _ in $(seq 600); do umount "$1" 2>/dev/null && break; sleep 0.1; done
        fi
        rmdir "$1"
        """
}
