typealias UserKeyRegistry = Registry<UserKeyRegistryRecord>
