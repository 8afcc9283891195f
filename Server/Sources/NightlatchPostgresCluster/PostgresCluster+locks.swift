import Foundation
import NightlatchServerProcess

extension PostgresCluster {
    /// Calls `body` while another transaction holds an exclusive lock on a table.
    @discardableResult
    public func whileLocking<Value>(_ table: String, _ body: () async throws -> Value) async throws -> Value {
        try await whileHolding("LOCK TABLE \(table) IN ACCESS EXCLUSIVE MODE", body)
    }

    /// Calls `body` while another transaction holds the locks that the statement `lock` takes. The statement must
    /// return no rows.
    @discardableResult
    public func whileHolding<Value>(_ lock: String, _ body: () async throws -> Value) async throws -> Value {
        let (input, output) = try await Self.blocking { try self.shell(holding: lock) }
        let value: Value
        do {
            value = try await body()
        } catch {
            // The transaction ends with the shell's input.
            try input.fileHandleForWriting.close()
            throw error
        }
        try await Self.blocking {
            try Self.say("ROLLBACK;\n\\echo released\n", to: input, awaiting: "released\n", from: output)
            try input.fileHandleForWriting.close()
        }
        return value
    }

    /// Starts `psql` with a transaction that holds a lock. Both end when the input of `psql` ends.
    private func shell(holding lock: String) throws -> (input: Pipe, output: Pipe) {
        let (psql, input, output) = (Process(), Pipe.ofOneChild(), Pipe.ofOneChild())
        psql.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        psql.arguments =
            ["psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1"]
            + ["postgres://postgres@/postgres?host=\(folder)&port=\(port)"]
        psql.standardInput = input
        psql.standardOutput = output
        try psql.run()
        let words = "SET lock_timeout = '60s'; BEGIN; \(lock);\n\\echo locked\n"
        try Self.say(words, to: input, awaiting: "locked\n", from: output)
        return (input, output)
    }

    private static func say(_ words: String, to input: Pipe, awaiting answer: String, from output: Pipe) throws {
        try input.fileHandleForWriting.write(contentsOf: Data(words.utf8))
        guard output.fileHandleForReading.availableData == Data(answer.utf8) else { throw Failed(command: words) }
    }
}
