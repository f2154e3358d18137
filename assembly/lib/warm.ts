// Loading memory ahead of its use. Loads that do not depend on each other wait for memory together; those of one command
// after the other each wait alone, and with a million agents nearly all of them miss the cache.
// Keeps: what is loaded decides nothing. It only ends here, because a load whose value nobody keeps may be left out.

const LOADED: usize = memory.data(8, 8);

/** Ends loads: `sum` is made from all that was loaded. */
export function endWarming(sum: u64): void {
  store<u64>(LOADED, sum);
}
