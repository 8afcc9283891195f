import Dispatch
import Foundation
import Synchronization

/// A helper shell that restores the terminal if SIGKILL or a crash ends this process.
///
/// - It detects the end of this process by the end of a pipe. It changes the terminal only then.
/// - It restores the modes only if they are still those of a pad (``PadTerminal``). So a shell that has taken over the
///   terminal keeps its modes.
/// - It is in a separate process group, so ⌃C and other signal keys do not reach it. It has no secret, and ends with
///   this process.
/// - If it cannot be started, everything else works without it.
final class PadGuardian: Sendable {
    private struct Shell {
        /// This process's ends of the two pipes; -1 while they are closed.
        var toGuardian: Int32 = -1
        var fromGuardian: Int32 = -1
        /// The shell's process id; 0 if there is no shell.
        var process: pid_t = 0
    }

    private let shell = Mutex(Shell())

    /// Starts the guardian of a terminal.
    ///
    /// - Parameters:
    ///   - path: The terminal's file.
    ///   - leaving: The text that the guardian writes to the terminal when it restores it.
    init(terminal path: String, leaving: String) {
        var (input, output): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        guard unsafe pipe(&input) == 0 else { return }
        guard unsafe pipe(&output) == 0 else {
            for end in input { close(end) }
            return
        }
        // Each end of the pipes must be open in only one of the two processes.
        for end in input + output { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let process = Self.start(input: input[0], output: output[1], terminal: path, leaving: leaving)
        close(input[0])
        close(output[1])
        guard let process else {
            close(input[1])
            close(output[0])
            return
        }
        shell.withLock { [input, output] in
            $0 = Shell(toGuardian: input[1], fromGuardian: output[0], process: process)
        }
    }

    deinit { dismiss() }

    /// Tells the guardian to remember the terminal's current modes, and waits until it has done so, for at most two
    /// seconds.
    func terminalIsSilenced() {
        shell.withLock { shell in
            guard tell("silenced", shell) else { return }
            var request = pollfd(fd: shell.fromGuardian, events: Int16(POLLIN), revents: 0)
            var answer: UInt8 = 0
            guard unsafe poll(&request, 1, 2000) > 0 else { return }
            _ = unsafe read(shell.fromGuardian, &answer, 1)
        }
    }

    func terminalIsReleased() { shell.withLock { _ = tell("released", $0) } }

    /// Ends the guardian and reaps its process.
    func dismiss() {
        let process = shell.withLock { shell in
            _ = tell("dismissed", shell)
            for end in [shell.toGuardian, shell.fromGuardian] where end >= 0 { close(end) }
            defer { shell = Shell() }
            return shell.process
        }
        guard process > 0 else { return }
        DispatchQueue(label: "nightlatch.pad-guardian").async {
            while waitpid(process, nil, 0) == -1 && errno == EINTR {}
        }
    }

    /// Sends a word to the guardian, and returns whether the pipe accepted it.
    ///
    /// Ignores SIGPIPE during the write, so that the guardian's death does not end this process.
    private func tell(_ word: String, _ shell: Shell) -> Bool {
        guard shell.toGuardian >= 0 else { return false }
        let before = signal(SIGPIPE, SIG_IGN)
        defer { _ = signal(SIGPIPE, before) }
        let line = word + "\n"
        return unsafe write(shell.toGuardian, line, line.utf8.count) == line.utf8.count
    }

    /// Starts the shell and returns its process id; nil if it cannot be started.
    private static func start(input: Int32, output: Int32, terminal path: String, leaving: String) -> pid_t? {
        // These types are structures on some systems and pointers on others, so `allocated` infers them.
        guard let actions = unsafe allocated(posix_spawn_file_actions_init) else { return nil }
        defer { unsafe freed(actions, posix_spawn_file_actions_destroy) }
        guard let attributes = unsafe allocated(posix_spawnattr_init) else { return nil }
        defer { unsafe freed(attributes, posix_spawnattr_destroy) }
        unsafe posix_spawn_file_actions_adddup2(actions, input, 0)
        unsafe posix_spawn_file_actions_adddup2(actions, output, 1)
        unsafe posix_spawn_file_actions_addopen(actions, 2, "/dev/null", O_WRONLY, 0)
        unsafe posix_spawn_file_actions_addopen(actions, 3, path, O_RDWR | O_NOCTTY, 0)
        unsafe posix_spawnattr_setpgroup(attributes, 0)
        unsafe posix_spawnattr_setflags(attributes, Int16(POSIX_SPAWN_SETPGROUP))
        return unsafe withStrings(["/bin/sh", "-c", script, "sh", leaving]) { arguments in
            unsafe withStrings(["PATH=/usr/bin:/bin", "LC_ALL=C"]) { environment in
                var process: pid_t = 0
                let isStarted =
                    unsafe posix_spawn(&process, "/bin/sh", actions, attributes, arguments, environment) == 0
                return isStarted ? process : nil
            }
        }
    }

    private static func allocated<Value>(
        _ initialize: (UnsafeMutablePointer<Value>) -> Int32
    ) -> UnsafeMutablePointer<Value>? {
        let memory = UnsafeMutablePointer<Value>.allocate(capacity: 1)
        guard unsafe initialize(memory) == 0 else {
            unsafe memory.deallocate()
            return nil
        }
        return unsafe memory
    }

    private static func freed<Value>(
        _ memory: UnsafeMutablePointer<Value>,
        _ destroy: (UnsafeMutablePointer<Value>) -> Int32
    ) {
        _ = unsafe destroy(memory)
        unsafe memory.deallocate()
    }

    /// Calls `body` with `strings` as a null-terminated array of C strings.
    private static func withStrings<Result>(
        _ strings: [String],
        _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var pointers = unsafe strings.map { unsafe strdup($0) } + [nil]
        defer { unsafe pointers.forEach { unsafe free($0) } }
        return unsafe body(&pointers)
    }

    /// The shell's script. It reads the words that `tell` writes. It uses only parts of the output of `stty -a` that
    /// are the same on all systems.
    private static let script = """
        trap '' HUP INT QUIT TERM TSTP TTIN TTOU PIPE
        before=
        while read -r word; do
            case $word in
            silenced)
                before=$(stty -g <&3)
                echo
                ;;
            released) before= ;;
            *) exit 0 ;;
            esac
        done
        [ -n "$before" ] || exit 0
        # This comes first, before another program writes to the screen of the pad.
        printf %s "$1" >&3
        modes=" $(stty -a <&3 | tr -s ';\\n\\t ' ' ') "
        for mode in -icanon -echo 'min = 1' 'time = 1'; do
            case $modes in
            *" $mode "*) ;;
            *) before= ;;
            esac
        done
        [ -z "$before" ] || stty "$before" <&3
        """
}
