// The notation of the table of objects: scalars and their JSON forms, presence, field rows.

type Presence = 'A' | 'O';
/** A scalar, the name of an object, `X[]` for a list, `map<X>` for an object with arbitrary member names. */
type FieldType = string;
/** Type, presence and meaning by field name. */
export type ObjectFields = Readonly<Record<string, readonly [FieldType, Presence, string]>>;

/** Scalars and their JSON forms. Units: u micro-units, ts Unix seconds, bp of 10,000, ratio 0..1. */
export const SCALARS = {
  str: { type: 'string' },
  bool: { type: 'boolean' },
  int: { type: 'integer', minimum: 0 },
  u: { type: 'integer', minimum: 0, description: 'micro-units' },
  ts: { type: 'integer', minimum: 0, description: 'Unix seconds' },
  bp: { type: 'integer', minimum: 0, maximum: 10_000, description: 'basis points' },
  ratio: { type: 'number', minimum: 0, maximum: 1 },
  score: { type: 'number', minimum: 0, maximum: 100 },
  num: { type: 'number' },
  hex64: { type: 'string', pattern: '^[0-9a-f]{64}$' },
  hex128: { type: 'string', pattern: '^[0-9a-f]{128}$' },
  obj: { type: 'object' },
  any: {},
} as const satisfies Record<string, Record<string, unknown>>;
