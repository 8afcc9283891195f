/// How a journey stands: ``ContinueNode``, ``SuccessNode``, ``ErrorNode`` or ``FailureNode``.
public protocol Node: Sendable {}
