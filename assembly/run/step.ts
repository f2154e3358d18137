// What became of one record of a call to core_apply.

/** Taken; go on with the next record. */
export const DONE: i32 = 0;
/** Not taken, or not yet in full: the out buffer must be drained first. */
export const FULL: i32 = 1;
/** Not a record that may stand here: a fault of the host. */
export const BAD: i32 = 2;
