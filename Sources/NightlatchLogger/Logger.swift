public import NightlatchJourney

/// The name of this type in the vendor's SDK (`PingLogger`). In a file that also imports `os`, use `JourneyLogger`.
public typealias Logger = JourneyLogger
