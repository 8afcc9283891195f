import Hummingbird

extension Response {
    /// An answer that the browser saves as a file. If the body fails, the connection is closed before its end.
    ///
    /// - Parameters:
    ///   - name: The name of the file, of characters that need no quotation (RFC 6266).
    ///   - type: The content type.
    ///   - body: The contents, made while they are sent.
    static func download(_ name: String, type: String, body: ResponseBody) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: type, .contentDisposition: "attachment; filename=\"\(name)\""], body: body)
    }
}
