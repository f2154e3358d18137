// Revisions of the rules that decide outcomes: what the core executes and what a request may contain (consensus 5.11).
// A network begins with revision 0. A program names the newest one that it knows in each of its vertices; once a quorum of
// seats knows the next, it applies from the next epoch on. A changed rule asks `header().revision` in the core, or the
// state's in the host, and keeps its old form below its number, so that old blocks give what they gave.
// Keeps: numbers are never reused, and a row never changes once it was released.

/** What each revision brought, by its number. */
export const REVISIONS: readonly string[] = ['the rules that a network begins with'];

/** The newest revision that this program knows. */
export const NEWEST_REVISION = REVISIONS.length - 1;
