public import NightlatchJourney

/// The name that the vendor's SDK has for it in `PingLogger`. In a file that imports `os` too, write ``JourneyLogger``.
public typealias Logger = JourneyLogger
