import Foundation
import NightlatchServerProcess

/// A shell that starts and stops a server. When the shell's input ends, it stops the server and removes the server's
/// files.
struct Guardian {
    private let input = Pipe.ofOneChild()
    private let output = Pipe.ofOneChild()

    /// Starts the shell, which starts the server.
    ///
    /// - Parameters:
    ///   - port: The port on which the server listens.
    ///   - settings: Lines for the server's `postgresql.conf`.
    ///   - parent: The folder in which the server's folder is created; nil for the folder of temporary files.
    init(port: Int, settings: [String], parent: String?) throws {
        let shell = Process()
        if let parent {
            shell.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": parent]) { $1 }
        }
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", Self.asOrdinaryUser, "sh", Self.script, "\(port)"] + settings
        shell.standardInput = input
        shell.standardOutput = output
        try shell.run()
        try input.fileHandleForReading.close()
        try output.fileHandleForWriting.close()
    }

    /// Makes the shell stop the server and remove the server's files. Does not wait for that.
    ///
    /// The pipe is closed explicitly, because the shell's `Process` keeps it open.
    func end() {
        // Only this process writes to the pipe. If the pipe is already closed, an earlier call has ended the shell.
        try? input.fileHandleForWriting.close()
    }

    func tell(_ command: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data((command + "\n").utf8))
    }

    /// Reads the next line of the shell's output.
    func answer() throws -> String {
        var line: [UInt8] = []
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first {
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        throw PostgresCluster.Failed(command: "start")
    }

    /// A script that runs another script as an ordinary user, because PostgreSQL refuses to run as root.
    private static let asOrdinaryUser = """
        script=$1
        shift
        [ "$(id -u)" -eq 0 ] || exec /bin/sh -c "$script" sh "$@"
        user=postgres
        id "$user" >/dev/null 2>&1 || user=nobody
        cd /
        exec setpriv --reuid="$(id -u "$user")" --regid="$(id -g "$user")" --clear-groups \\
            /bin/sh -c "$script" sh "$@"
        """

    private static let script = """
        set -eu
        port=$1
        shift
        for folder in /usr/lib/postgresql/*/bin /opt/homebrew/opt/postgresql*/bin /usr/local/opt/postgresql*/bin; do
            if [ -x "$folder/initdb" ]; then PATH="$folder:$PATH"; fi
        done
        # It ends when its input does, and the server when it is told.
        trap '' INT TERM HUP
        folder=$(mktemp -d "${TMPDIR:-/tmp}/nightlatch-pg.XXXXXX")
        data="$folder/data"
        server() { pg_ctl --pgdata="$data" --silent --wait "$@" </dev/null >/dev/null 2>>"$folder/log"; }
        start() { (ulimit -f "$1" && trap '' XFSZ && server start --log="$folder/log"); }
        finish() {
            server stop --mode=immediate || true
            rm -rf "$folder"
        }
        trap finish EXIT
        # Small files of the log of writes, so that a test can let the disk be full.
        initdb --pgdata="$data" --username=postgres --auth-local=trust --auth-host=scram-sha-256 --encoding=UTF8 \\
            --locale=C --no-sync --wal-segsize=1 >/dev/null
        {
            echo "listen_addresses = '127.0.0.1'"
            echo "port = $port"
            echo "unix_socket_directories = '$folder'"
            echo "max_connections = 1000"
            for setting; do echo "$setting"; done
        } >>"$data/postgresql.conf"
        case "$*" in
        *"ssl = on"*)
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=127.0.0.1 \\
                -addext subjectAltName=IP:127.0.0.1 -keyout "$data/server.key" -out "$data/server.crt" 2>/dev/null
            chmod 600 "$data/server.key"
            ;;
        esac
        start unlimited || { cat "$folder/log" >&2; exit 1; }
        psql --no-psqlrc --quiet --username=postgres --host="$folder" --port="$port" --dbname=postgres \\
            --command='CREATE ROLE nightlatch LOGIN; GRANT CREATE ON DATABASE postgres TO nightlatch' </dev/null >/dev/null
        echo "$folder"
        while read -r command argument; do
            outcome='done'
            case $command in
            start)
                # The processes of a server that was killed take a moment to notice.
                attempt=0
                until start "$argument"; do
                    attempt=$((attempt + 1))
                    if [ "$attempt" -ge 50 ]; then outcome=failed; break; fi
                    sleep 0.1
                done
                ;;
            stop) server stop --mode=fast || outcome=failed ;;
            query)
                # A database, and SQL in base64, which has no ends of lines; so has what it gives.
                printf %s "${argument#* }" | base64 -d >"$folder/query"
                outcome=failed
                if psql --no-psqlrc --quiet --tuples-only --no-align --set=ON_ERROR_STOP=1 --username=postgres \
                    --host="$folder" --port="$port" --dbname="${argument%% *}" --command="$(cat "$folder/query")" \
                    </dev/null >"$folder/rows"
                then
                    outcome="done $(base64 <"$folder/rows" | tr -d '\n')"
                fi
                ;;
            signal)
                # Several numbers; one that has ended by itself meanwhile is none to signal.
                # shellcheck disable=SC2086
                kill -s "${argument%% *}" "$(head -n 1 "$data/postmaster.pid")" ${argument#* } || true
                ;;
            esac
            echo "$outcome"
        done
        """
}
