import Foundation
import Logging
import NightlatchCommand
import NightlatchWire
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A log without a reader", .timeLimit(.minutes(5)))
struct LogWriterTests {
    @Test("Writing never waits; lines without room are dropped, and the next line reports how many")
    func stalled() async throws {
        let pipe = Pipe()
        let writer = LogWriter(descriptor: pipe.fileHandleForWriting.fileDescriptor, byteLimit: 10_000)
        let log = LineLog(label: "test", format: .text, writer: writer)
        // Far more than a pipe and the buffer can store. There is no reader, so a writer that waits would never end.
        let count = 20_000
        for number in 1...count { log.write(.info, "line", fields: [("number", .number(number))]) }
        await writer.flush(within: .milliseconds(20))

        let reader = Task.detached {
            var text = ""
            while !text.contains("last line") {
                text += String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
            }
            return text
        }
        // The reader has made room by now.
        await writer.flush(within: .seconds(60))
        log.write(.info, "last line", fields: [])
        let lines = await reader.value.split(separator: "\n")

        var (written, dropped, last): (Int, Int, Int) = (0, 0, 0)
        for line in lines {
            if let match = line.wholeMatch(of: /\S+ info test: line number=(\d+)/), let number = Int(match.output.1) {
                #expect(number > last, "\(line)")
                written += 1
                last = number
            } else if let match = line.wholeMatch(of: /\S+ warning test: Dropped log lines count=(\d+)/) {
                dropped += Int(match.output.1) ?? 0
            } else {
                #expect(line.hasSuffix(" info test: last line"), "\(line)")
            }
        }
        #expect(written + dropped == count && dropped > 0, "\(written) written, \(dropped) dropped")
        #expect(lines.last?.hasSuffix("last line") == true)
    }

    @Test("All lines arrive complete and in order, and a flush waits for the last one")
    func whole() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/log"
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        let file = try #require(FileHandle(forWritingAtPath: path))
        // Without this, the file could be closed after its last use.
        defer { withExtendedLifetime(file) {} }
        let writer = LogWriter(descriptor: file.fileDescriptor)
        let log = LineLog(label: "test", format: .text, writer: writer)
        let long = String(repeating: "x", count: 9000)
        for number in 1...500 { log.write(.info, number == 250 ? long : "\(number)", fields: []) }
        await writer.flush(within: .seconds(60))
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        let messages = lines.map { String($0.split(separator: " ").last ?? "") }
        let expected = (1...500).map { $0 == 250 ? long : String($0) }
        #expect(messages == expected)
    }

    @Test("Lines that the system refuses are counted, including a refused line that reported such a count")
    func refused() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/log"
        // Each write to this device fails with "no space left".
        let descriptor = unsafe open("/dev/full", O_WRONLY)
        defer { close(descriptor) }
        let writer = LogWriter(descriptor: descriptor)
        let log = LineLog(label: "test", format: .text, writer: writer)
        for _ in 0..<3 {
            for number in 1...100 { log.write(.info, "\(number)", fields: []) }
            await writer.flush(within: .seconds(60))
        }
        let file = unsafe open(path, O_WRONLY | O_CREAT, 0o600)
        #expect(dup2(file, descriptor) == descriptor)
        close(file)
        for text in ["first", "second"] { log.write(.info, "\(text)", fields: []) }
        await writer.flush(within: .seconds(60))
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 3 && lines[0].hasSuffix("warning test: Dropped log lines count=300"), "\(lines)")
        #expect(lines.dropFirst().map { $0.split(separator: " ").last } == ["first", "second"])
    }

    @Test("The line after a partly written one starts on a new line")
    func cutShort() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/log"
        // The pipe takes a part of the line. The writer waits for room, and finds that the reader has closed the pipe.
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        let writer = LogWriter(descriptor: descriptor)
        let long = [UInt8](repeating: UInt8(ascii: "x"), count: 200_000) + [UInt8(ascii: "\n")]
        writer.write(long) { _ in [] }
        // The rest has no reader.
        var taken = pipe.fileHandleForReading.readData(ofLength: 1).count
        taken += pipe.fileHandleForReading.availableData.count
        #expect(taken > 1)
        pipe.fileHandleForReading.closeFile()
        await writer.flush(within: .seconds(60))
        let file = unsafe open(path, O_WRONLY | O_CREAT, 0o600)
        #expect(dup2(file, descriptor) == descriptor)
        close(file)
        writer.write(Array("next\n".utf8)) { Array("lost \($0)\n".utf8) }
        await writer.flush(within: .seconds(60))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "\nlost 1\nnext\n")
    }

    @Test("All lines arrive complete and in order through a non-blocking pipe")
    func nonblocking() async throws {
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        let writer = LogWriter(descriptor: descriptor, byteLimit: 1 << 24)
        let count = 20_000
        for number in 1...count { writer.write(Array("line \(number)\n".utf8)) { _ in [] } }
        writer.write(Array("end\n".utf8)) { _ in [] }
        let text = await Task.detached {
            var text = ""
            while !text.hasSuffix("end\n") {
                text += String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
            }
            return text
        }.value
        #expect(text == (1...count).map { "line \($0)\n" }.joined() + "end\n")
        withExtendedLifetime(pipe) {}
    }

    @Test("A server with an unread log continues to answer and stops when asked")
    func server() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/log"
        let status = unsafe mkfifo(path, 0o600)
        #expect(status == 0)
        // Opened but never read, so the pipe fills.
        let reader = unsafe open(path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        let wrapper = ["bash", "-c", "exec \"$@\" 2>'\(path)'", "bash"]
        let options = ["--address-rate", "0"]
        let end = try await ServerProcess.run(in: folder, options: options, wrapper: wrapper) { server in
            let session = URLSession(configuration: .ephemeral)
            defer { session.finishTasksAndInvalidate() }
            let url = try #require(URL(string: server.url + "/nope"))
            // The pipe stores 64 KiB, and each request logs two lines of about 100 bytes.
            for _ in 1...1000 {
                let (_, response) = try await session.data(from: url)
                #expect((response as? HTTPURLResponse)?.statusCode == 404)
            }
        }.status
        #expect(end == 0)
    }
}
