// How many rows a table gets unless the configuration says otherwise.
// Keeps: one number for each table, from abi.ts, in the order of the configuration.

import {
  DEFAULT_AGENTS,
  DEFAULT_BARS,
  DEFAULT_CALIBRATIONS,
  DEFAULT_CANARIES,
  DEFAULT_CAPABILITIES,
  DEFAULT_CATEGORIES,
  DEFAULT_CHALLENGES,
  DEFAULT_ITEMS,
  DEFAULT_JOBS,
  DEFAULT_KEYS,
  DEFAULT_PAIRS,
  DEFAULT_RECORDS,
  DEFAULT_TASKS,
  DEFAULT_TXIDS,
  DEFAULT_VALIDATORS,
  DEFAULT_VOTES,
} from '../abi';
import {
  AGENTS,
  BARS,
  CALIBRATIONS,
  CAPABILITIES,
  CATEGORIES,
  CHALLENGES,
  ITEMS,
  JOBS,
  KEYS,
  PAIRS,
  RECORDS,
  TASKS,
  TXIDS,
  VALIDATORS,
  VOTES,
} from '../state/header';

/** Default number of rows of a table (its number in state/header). */
export function defaultCapacity(table: u32): u32 {
  if (table == AGENTS) return DEFAULT_AGENTS;
  if (table == ITEMS) return DEFAULT_ITEMS;
  if (table == VOTES) return DEFAULT_VOTES;
  if (table == TXIDS) return DEFAULT_TXIDS;
  if (table == KEYS) return DEFAULT_KEYS;
  if (table == RECORDS) return DEFAULT_RECORDS;
  if (table == VALIDATORS) return DEFAULT_VALIDATORS;
  if (table == CATEGORIES) return DEFAULT_CATEGORIES;
  if (table == TASKS) return DEFAULT_TASKS;
  if (table == BARS) return DEFAULT_BARS;
  if (table == CAPABILITIES) return DEFAULT_CAPABILITIES;
  if (table == CALIBRATIONS) return DEFAULT_CALIBRATIONS;
  if (table == CHALLENGES) return DEFAULT_CHALLENGES;
  if (table == JOBS) return DEFAULT_JOBS;
  return table == PAIRS ? DEFAULT_PAIRS : DEFAULT_CANARIES;
}
