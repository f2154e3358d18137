// Fields that several tools take, and amounts as tools read and write them.
// Keeps: amounts come in as decimal tokens and go out in both scales, since models get zeros wrong.

import type { StrField } from '../wire/fields.ts';
import { MAX_SUPPLY_MICRO, microOfTokens, tokensOfMicro } from '../wire/token-amount.ts';
import { ToolRefusal } from './refusal.ts';

export const MAX_ROWS = 20;
export const DEFAULT_ROWS = 5;

export const tokens = (doc: string) =>
  ({ kind: 'str', min: 1, max: 20, doc: `${doc}; decimal tokens, e.g. "12.5"` }) as const;
export const TASK_ID = {
  kind: 'str',
  min: 1,
  max: 64,
  required: true,
  doc: '32 hex digits',
} as const;
export const AGENT: StrField = { kind: 'str', min: 1, max: 64 };
export const LIMIT = { kind: 'int', min: 1, max: MAX_ROWS, doc: `rows, default ${DEFAULT_ROWS}` } as const;
export const PAGE = { kind: 'int', min: 1, max: 1_000_000, doc: 'default 1' } as const;

const KEY_DOC = 'names this intention: nothing happens twice';
const KEY = { kind: 'str', min: 1, max: 100 } as const;
/** For what takes money: without it a repeated call would be a second payment. */
export const NEEDED_KEY = { ...KEY, required: true, doc: KEY_DOC } as const;
/** For what a task's state allows once only. */
export const OPTIONAL_KEY = { ...KEY, doc: KEY_DOC } as const;

export interface Amount {
  tokens: string;
  micro: number;
}

export const amount = (micro: number): Amount => ({ tokens: tokensOfMicro(micro), micro });

/** Micro-units. Errors: ToolRefusal. */
export function readTokens(name: string, text: string): number {
  const micro = microOfTokens(text);
  if (micro !== undefined && micro <= MAX_SUPPLY_MICRO) return Number(micro);
  throw new ToolRefusal(
    'invalid_request',
    `${name}: "${text}" is not an amount`,
    'Give decimal tokens with at most six decimals, such as "12.5". One token is 1,000,000 micro-units.',
  );
}

export const isoTime = (secs: number | undefined): string | undefined =>
  secs === undefined ? undefined : new Date(secs * 1000).toISOString().replace('.000', '');
