export interface DocsReport {
  /** A line for each: `docs/protocol/endpoints.md: route POST /v1/x is not described`. */
  faults: string[];
  /** What is worth knowing and no fault: examples that this machine cannot run. */
  notes: string[];
  /** What was looked at, in one line. */
  totals: string;
}
/** `run`: whether to run the examples too. */
export function checkDocs(
  root: string,
  options?: { run?: boolean },
): Promise<DocsReport>;
