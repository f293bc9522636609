/** The number of the running call, as SQL. */
export const RUNNING_CALL = '(SELECT call FROM call_start)'
