// The node's log: JSON lines on standard error, standard output being for the lines of `start`.

import { type Logger, pino } from 'pino';

export type { Logger };

/** Written synchronously, so the last line before an exit is not lost. */
export function createLogger(level: string): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    pino.destination({ dest: 2, sync: true }),
  );
}
