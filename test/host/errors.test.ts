// The error catalogue against the tests: a code that no test provokes fails here.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ERRORS, type ErrorCode, invalid, ServiceError } from '../../host/errors.ts';

const CODES = Object.keys(ERRORS) as ErrorCode[];
/** Tests that compare whole lists, or make up answers of a node, show nothing. */
const NO_PROOF = /errors\.test|openapi\.test|refusals\.test|client|fake-node|submission/;

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return path.endsWith('.ts') && !NO_PROOF.test(path) ? [readFileSync(path, 'utf8')] : [];
  });
}

describe('the error catalogue', () => {
  it('has each of its codes raised by a test', () => {
    const text = sources('test').join('\n');
    const isRaised = (code: string): boolean => new RegExp(`['" ]${code}['"]`).test(text);
    expect(CODES.filter((code) => !isRaised(code))).toEqual([]);
  });

  it('has as many codes as were counted when one was last added', () => {
    expect(CODES.length).toBe(93);
  });
});

describe('a ServiceError', () => {
  it('has status and text of the catalogue, or a specific text where one is given', () => {
    const plain = new ServiceError('faucet_empty');
    expect([plain.status, plain.message, plain.body()]).toEqual([
      503,
      'the faucet is empty',
      { error: 'the faucet is empty', code: 'faucet_empty' },
    ]);
    const full = invalid('amount is missing', { field: 'amount' });
    expect(full.body('ab')).toEqual({
      error: 'amount is missing',
      code: 'invalid_request',
      details: { field: 'amount' },
      txid: 'ab',
    });
  });
});
