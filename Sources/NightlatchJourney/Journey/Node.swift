/// The state of a journey: ``ContinueNode``, ``SuccessNode``, ``ErrorNode`` or ``FailureNode``.
public protocol Node: Sendable {}
