#include <sqlite3.h>

/// Calls `sqlite3_config`, whose number of arguments is open: such a function cannot be called from Swift.
static inline int nightlatch_sqlite3_config(int setting, int value) { return sqlite3_config(setting, value); }
