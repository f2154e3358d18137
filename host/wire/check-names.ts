// The names a task may list in `required_checks`: every gate and every component of protocol 6.14.
// Keeps: the tables of host/scoring are typed by these lists, so every gate and component has its name here and every
// name has its gate or component.

/** Gates in the order of checking and reporting; `threshold`, the verdict on the score, comes last. */
export const GATE_NAMES = [
  'has_output',
  'min_length',
  'hash_valid',
  'not_description',
  'not_echo',
  'not_repetitive',
  'own_words',
  'own_context',
  'not_templated',
  'plain_language',
  'word_order',
  'terms_together',
  'readable',
  'threshold',
] as const;
export type GateName = (typeof GATE_NAMES)[number];

/** The gates that are facts, which no reader can see otherwise: a delivery that fails one is not paid by silence or by judges. */
export const FACT_NAMES = [
  'has_output',
  'hash_valid',
  'not_description',
] as const satisfies readonly GateName[];

/** Components of all four verifiers; each verifier has some of them. */
export const COMPONENT_NAMES = [
  'relevance',
  'completeness',
  'quality',
  'syntax',
  'structure',
  'depth',
  'citations',
  'language',
  'formatting',
] as const;
export type ComponentName = (typeof COMPONENT_NAMES)[number];

/** What `required_checks` accepts; anything else is 400 `invalid_request` (protocol 4.4). */
export const CHECK_NAMES: readonly string[] = [...GATE_NAMES, ...COMPONENT_NAMES];
