// The result's hash, and evidence with the node's own figures in place of the worker's.
// Keeps: with readable content nothing self-reported about its size, preview or hash survives (protocol 6.14).

import { utf8 } from '../wire/bytes.ts';
import { sha256Hex } from '../wire/hash.ts';
import type { Evidence, SentEvidence, Submission } from './types.ts';

const PREVIEW_CHARS = 500;
const PREFIX = 'sha256:';

/** A hash field as it is compared: without prefix, in lower case. Source: protocol 1.3 "hash fields". */
export function bareHash(hash: string): string {
  const lower = hash.toLowerCase();
  return lower.startsWith(PREFIX) ? lower.slice(PREFIX.length) : lower;
}

/** The content, when there is some and it can be read; undefined otherwise. */
export function plainContent(submission: Submission): string | undefined {
  const { result_content: content, result_encrypted: encrypted } = submission;
  return content && !encrypted ? content : undefined;
}

/** The result's hash as stored: of the content as sent (64 hex digits), else the given one as sent, else empty. */
export function resultHash(submission: Submission): string {
  return submission.result_content ? sha256Hex(submission.result_content) : (submission.result_hash ?? '');
}

/**
 * Whether `result_hash` fits the content as sent, sealed or not: equal to its SHA-256, or not given. Without content
 * there is nothing to compare: true. False is answered 400 `result_hash_mismatch` (protocol 4.4).
 */
export function resultHashMatches(submission: Submission): boolean {
  const { result_content: content, result_hash: given } = submission;
  return !content || !given || bareHash(given) === sha256Hex(content);
}

/** The first 500 characters (code points, so that no pair of surrogates is torn). */
function previewOf(content: string): string {
  let end = 0;
  for (let chars = 0; chars < PREVIEW_CHARS && end < content.length; chars++) {
    end += content.codePointAt(end)! > 0xffff ? 2 : 1;
  }
  return content.slice(0, end);
}

/** What is kept of the text fields; absent ones stay absent. */
function optionalFields(evidence: SentEvidence): Partial<Evidence> {
  const { summary, input_hash, output_preview, output_url, metrics } = evidence;
  return {
    ...(summary ? { summary } : {}),
    ...(input_hash ? { input_hash } : {}),
    ...(output_preview ? { output_preview } : {}),
    ...(output_url ? { output_url } : {}),
    ...(metrics ? { metrics } : {}),
  };
}

/**
 * `submitted_evidence` of a task. With plain content size (bytes), preview and hash are computed here; otherwise the
 * worker's stand, the hash defaulting to the result's. Cannot fail. Source: protocol 3.4, 6.14.
 */
export function submittedEvidence(submission: Submission): Evidence {
  const sent = submission.evidence ?? {};
  const content = plainContent(submission);
  const output_type = sent.output_type ?? 'text';
  if (content === undefined) {
    const hash = PREFIX + bareHash(sent.hash || resultHash(submission));
    return { ...optionalFields(sent), hash, output_type, output_size: sent.output_size ?? 0 };
  }
  return {
    ...optionalFields(sent),
    hash: PREFIX + sha256Hex(content),
    output_type,
    output_size: utf8(content).length,
    output_preview: previewOf(content),
  };
}
