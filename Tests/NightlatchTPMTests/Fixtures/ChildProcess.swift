import Dispatch
import Glibc
import Nightlatch
import NightlatchTesting

/// A process with pipes to its standard input and from its standard output.
struct ChildProcess {
    struct Unavailable: Error {
        let status: Int32
    }

    /// Held until a child has its pipes: another child that starts at the same time would keep their ends open.
    private static let starting = Shared(())

    let id: pid_t
    private let input: Int32
    private let output: Int32

    init(_ arguments: [String]) throws {
        self = try Self.starting.withLock { _ in Result { try Self(starting: arguments) } }.get()
    }

    private init(starting arguments: [String]) throws {
        let (toChild, fromChild) = (try Self.pipe(), try Self.pipe())
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, toChild[0], STDIN_FILENO)
        unsafe posix_spawn_file_actions_adddup2(&actions, fromChild[1], STDOUT_FILENO)
        var words = unsafe arguments.map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        var id = pid_t()
        let status = unsafe posix_spawnp(&id, arguments[0], &actions, nil, &words, environ)
        close(toChild[0])
        close(fromChild[1])
        guard status == 0 else { throw Unavailable(status: status) }
        (self.id, input, output) = (id, toChild[1], fromChild[0])
    }

    /// The reading end and the writing end. No child inherits them.
    private static func pipe() throws -> [Int32] {
        var ends: [Int32] = [-1, -1]
        guard unsafe Glibc.pipe(&ends) == 0 else { throw Unavailable(status: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return ends
    }

    /// Reads one line of the output, without the line feed. Returns less if the output ends.
    func readLine() -> String {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while unsafe read(output, &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
        return String(decoding: line, as: UTF8.self)
    }

    /// Closes the child's input, and waits until the child ends.
    ///
    /// - Returns: The status of `waitpid`.
    @discardableResult
    func finish() -> Int32 {
        close(input)
        var status: Int32 = 0
        while unsafe waitpid(id, &status, 0) == -1, errno == EINTR {}
        close(output)
        return status
    }

    /// Runs blocking work on a thread that runs no task.
    static func blocking<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result(catching: work)) }
        }
    }
}
