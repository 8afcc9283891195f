/// A connection that sends the beginning of a request and then nothing.
struct HalfRequest {
    private let connection: RawConnection

    init(toServerOn port: Int) throws {
        connection = try RawConnection(port: port)
        connection.send(
            "POST /v1/login/begin HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: 100\r\n\r\n{")
    }

    /// Whether the server closes the connection, and does so before ten seconds have passed.
    func isClosed() -> Bool {
        while let piece = connection.receive() {
            if piece.isEmpty { return true }
        }
        return false
    }
}
