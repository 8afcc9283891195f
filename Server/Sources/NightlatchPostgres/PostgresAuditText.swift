/// Expressions that read members of the text of an audit entry. The indices have the same ones.
enum PostgresAuditText {
    /// The kind of the event.
    static let kind = #"substring(encode(body, 'escape') from '"event":"([a-z_]+)"')"#
    /// The cause of refused requests; NULL for other entries.
    static let problem = #"substring(encode(body, 'escape') from '"problem":"([a-z_]+)"')"#
}
