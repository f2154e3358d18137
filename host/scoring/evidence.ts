// The hash of a result, and evidence in which the node's figures replace the worker's.
// Keeps: if the content is readable, no self-reported size, preview or hash is kept (protocol 6.14).

import { utf8 } from '../wire/bytes.ts';
import { sha256Hex } from '../wire/hash.ts';
import type { Evidence, SentEvidence, Submission } from './types.ts';

const PREVIEW_CHARS = 500;
const PREFIX = 'sha256:';

/** A hash field in the form used for comparison: without prefix, in lower case. Source: protocol 1.3 "hash fields". */
export function bareHash(hash: string): string {
  const lower = hash.toLowerCase();
  return lower.startsWith(PREFIX) ? lower.slice(PREFIX.length) : lower;
}

/** The content if it is present and not encrypted; otherwise undefined. */
export function plainContent(submission: Submission): string | undefined {
  const { result_content: content, result_encrypted: encrypted } = submission;
  return content && !encrypted ? content : undefined;
}

/** The stored hash of a result: SHA-256 of the content as sent (64 hex digits), else the given hash as sent, else empty. */
export function resultHash(submission: Submission): string {
  return submission.result_content ? sha256Hex(submission.result_content) : (submission.result_hash ?? '');
}

/**
 * True unless `result_hash` is given, content is present (encrypted or not), and the hash is not its SHA-256. False is
 * answered with 400 `result_hash_mismatch` (protocol 4.4).
 */
export function resultHashMatches(submission: Submission): boolean {
  const { result_content: content, result_hash: given } = submission;
  return !content || !given || bareHash(given) === sha256Hex(content);
}

/** The first 500 characters, counted in code points so that no surrogate pair is split. */
function previewOf(content: string): string {
  let end = 0;
  for (let chars = 0; chars < PREVIEW_CHARS && end < content.length; chars++) {
    end += content.codePointAt(end)! > 0xffff ? 2 : 1;
  }
  return content.slice(0, end);
}

/** The optional fields that are present and not empty. */
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
 * `submitted_evidence` of a task. For plain content the size (bytes), preview and hash are computed here; otherwise the
 * worker's values are kept, and the hash defaults to that of the result. Cannot fail. Source: protocol 3.4, 6.14.
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
