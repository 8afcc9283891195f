import Foundation
import NightlatchServerProcess

/// A file system of its own in memory, which is soon full. It goes with its last owner, and with this process however that ends.
final class SmallDisk: Sendable {
    let path: String
    private let input: Pipe

    struct NotMounted: Error {}

    /// Makes one.
    ///
    /// - Throws: ``NotMounted`` where this process may not mount anything.
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
        // Nobody else writes to it; if it is closed already, the disk is gone.
        try? input.fileHandleForWriting.close()
    }

    /// Takes all room that is left.
    func fill() throws {
        let block = Data(count: 1 << 12)
        let filler = try FileHandle(forWritingTo: makeFiller())
        do {
            while true { try filler.write(contentsOf: block) }
        } catch CocoaError.fileWriteOutOfSpace {
            try filler.close()
        }
    }

    /// Gives back what ``fill()`` took.
    func makeRoom() throws { try FileManager.default.removeItem(atPath: filler) }

    private var filler: String { path + "/filler" }

    private func makeFiller() throws -> URL {
        try Data().write(to: URL(fileURLWithPath: filler))
        return URL(fileURLWithPath: filler)
    }

    /// Whoever uses it still is waited for: a server that ends at the same time has files to remove.
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
