// The four verifiers of protocol 6.14: components, their weights, and how they are combined into one score.
// Keeps: the weights of a verifier add up to 10,000 bp; names, weights and caps are fixed for policy v1.

import type { ComponentName } from '../wire/check-names.ts';
import { isJsonContainer } from './json-check.ts';
import type { Measures } from './measures.ts';
import { BP, shareBp } from './policy.ts';
import type { Output, Reading } from './reading.ts';
import * as shape from './shape.ts';
import type { TaskContract, VerifierName } from './types.ts';
import { CODE_KEYWORD, TEST_WORD } from './vocabulary.ts';

/** Everything that a component or a gate may use. */
export interface Work {
  readonly contract: TaskContract;
  readonly output: Output;
  readonly reading: Reading;
  readonly measures: Measures;
}

interface Component {
  readonly name: ComponentName;
  readonly weightBp: number;
  /** Basis points, 0..10000. */
  readonly value: (work: Work) => number;
}
interface Verifier {
  readonly components: readonly Component[];
  /** Upper limit of the score for work whose coverage is too low. */
  readonly cap?: { readonly belowCovBp: number; readonly overallBp: number };
}

const OPERATORS = ['(', '{', '=', ';', ':'];
const BRACKETS = ['()', '[]', '{}'];
const MAX_CODE_LINE_BYTES = 200;
const byteOf = (char: string): number => char.charCodeAt(0);

function syntax({ output }: Work): number {
  const counts = shape.histogram(output.bytes);
  const uneven = BRACKETS.filter(([open, close]) => counts[byteOf(open!)] !== counts[byteOf(close!)]);
  const hasOperator = OPERATORS.some((char) => counts[byteOf(char)]! > 0);
  return BP - 2500 * uneven.length - (hasOperator ? 0 : 2500);
}

function codeQuality({ output, reading }: Work): number {
  const { lines, longest } = shape.lineLengths(output.bytes);
  let bp = 4000;
  if (shape.hasCommentSign(output.bytes)) bp += 1500;
  if (reading.hasWordOf(CODE_KEYWORD)) bp += 1500;
  if (reading.hasWordOf(TEST_WORD)) bp += 1500;
  if (lines >= 3 && longest <= MAX_CODE_LINE_BYTES) bp += 1500;
  return bp;
}

function structure({ output }: Work): number {
  if (isJsonContainer(output.bytes)) return BP;
  if (shape.hasEvenColumns(output.bytes)) return 8000;
  return shape.hasTableLine(output.bytes) ? 6000 : 3000;
}

const depth = ({ output }: Work): number => 1000 * shape.distinctNumbers(output.bytes, 10);

const citations = ({ output }: Work): number =>
  Math.min(BP, 2500 * (shape.urlCount(output.bytes) + shape.referenceCount(output.bytes)));

function language({ output, reading, measures }: Work): number {
  const sentences = shape.sentenceCount(output.bytes);
  const words = reading.words.length;
  const isNatural = words > 0 && words >= 4 * sentences && words <= 40 * sentences;
  return Math.floor((Math.min(BP, shareBp(measures.div, 4000)) + (isNatural ? BP : 4000)) / 2);
}

function formatting({ output }: Work): number {
  const { paragraphs, hasListLine } = shape.textShape(output.bytes);
  let bp = 4000;
  if (paragraphs >= 2) bp += 2000;
  if (hasListLine) bp += 2000;
  const last = output.bytes[output.bytes.length - 1];
  if (last === byteOf('.') || last === byteOf('!') || last === byteOf('?')) bp += 2000;
  return bp;
}

function keywordQuality({ output, measures }: Work): number {
  let bp = 4000;
  if (output.bytes.length > 100) bp += 2000;
  if (shape.sentenceCount(output.bytes) >= 2) bp += 2000;
  if (measures.div >= 4000) bp += 2000;
  return bp;
}

const completeness = ({ measures }: Work): number => measures.crit;
const relevance = ({ measures }: Work): number => measures.cov;

export const VERIFIERS: Readonly<Record<VerifierName, Verifier>> = {
  code: {
    components: [
      { name: 'syntax', weightBp: 2500, value: syntax },
      { name: 'completeness', weightBp: 3000, value: completeness },
      { name: 'relevance', weightBp: 2500, value: relevance },
      { name: 'quality', weightBp: 2000, value: codeQuality },
    ],
  },
  data: {
    components: [
      { name: 'structure', weightBp: 2000, value: structure },
      { name: 'completeness', weightBp: 3000, value: completeness },
      { name: 'depth', weightBp: 3000, value: depth },
      { name: 'citations', weightBp: 2000, value: citations },
    ],
    cap: { belowCovBp: 2000, overallBp: 3000 },
  },
  content: {
    components: [
      { name: 'language', weightBp: 2000, value: language },
      { name: 'completeness', weightBp: 3000, value: completeness },
      { name: 'relevance', weightBp: 3000, value: relevance },
      { name: 'formatting', weightBp: 2000, value: formatting },
    ],
    cap: { belowCovBp: 2500, overallBp: 3000 },
  },
  keyword: {
    components: [
      { name: 'relevance', weightBp: 3000, value: relevance },
      { name: 'completeness', weightBp: 4000, value: completeness },
      { name: 'quality', weightBp: 3000, value: keywordQuality },
    ],
  },
};

interface Scored {
  readonly components: Readonly<Partial<Record<ComponentName, number>>>;
  readonly overallBp: number;
  /** Weighted mean of the components other than relevance and completeness. */
  readonly qualityBp: number;
}

/** Σ mul(weight, value, 10000), capped where coverage is too low. */
function overallOf(
  { components, cap }: Verifier,
  values: Readonly<Partial<Record<ComponentName, number>>>,
  covBp: number,
): number {
  let sum = 0;
  for (const { name, weightBp } of components) sum += Math.floor((weightBp * values[name]!) / BP);
  return cap !== undefined && covBp < cap.belowCovBp ? Math.min(cap.overallBp, sum) : sum;
}

/** Scores work by one verifier. */
export function verify(verifier: Verifier, work: Work): Scored {
  const values: Partial<Record<ComponentName, number>> = {};
  for (const { name, value } of verifier.components) values[name] = value(work);
  const rest = verifier.components.filter(({ name }) => name !== 'relevance' && name !== 'completeness');
  const weight = rest.reduce((sum, { weightBp }) => sum + weightBp, 0);
  const weighted = rest.reduce((sum, { name, weightBp }) => sum + weightBp * values[name]!, 0);
  return {
    components: values,
    overallBp: overallOf(verifier, values, work.measures.cov),
    qualityBp: Math.floor(weighted / weight),
  };
}
