// The node's log: pino, JSON lines on standard error (standard output belongs to what commands print).
// Keeps: no secret is ever written. Callers log ids and counts, never requests; as a safeguard, members of logged objects
// with names of secrets are censored.

import { pino } from 'pino';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

type Write = (fields: Record<string, unknown> | string, text?: string) => void;

/** The methods of a log that the program uses. */
export interface Logger {
  debug: Write;
  info: Write;
  warn: Write;
  error: Write;
}

const SECRET_NAMES = [
  'apiKey',
  'api_key',
  'key',
  'passphrase',
  'password',
  'privateKey',
  'recovery_phrase',
  'secret',
  'seed',
  'webhook_secret',
  'x-api-key',
];

/** Where lines go; standard error unless a test collects them. */
export interface LogTarget {
  write(line: string): void;
}

/** A log that nobody can read or store (a pipe without a reader, a full disk) must not end the node. */
function standardError(): LogTarget {
  const out = pino.destination({ dest: 2, sync: true });
  out.on('error', () => {});
  return out;
}

/** Lines are written at once, so the last ones before an exit are not lost. */
export function createLogger(level: LogLevel, target?: LogTarget): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: {
      paths: SECRET_NAMES.flatMap((name) => [`["${name}"]`, `*["${name}"]`]),
      censor: '[secret]',
    },
  };
  return pino(options, target ?? standardError()) as Logger;
}
