import { describe, expect, it } from 'vitest';
import { EXIT, EXIT_MEANINGS, failureOf, UsageError } from '../../../host/cli/exit-code.ts';
import { VwsError } from '../../../host/client/index.ts';
import { ConfigError } from '../../../host/config/config.ts';
import { KeyFileError } from '../../../host/crypto/key-file.ts';
import { ManifestError } from '../../../host/wire/manifest.ts';
import { ParamError } from '../../../host/wire/params.ts';

describe('exit codes', () => {
  it.each([
    [new VwsError({ status: 409, code: 'already_registered', message: 'x' }), 1, 'already_registered'],
    [new VwsError({ status: 503, code: 'no_quorum', message: 'x' }), 1, 'no_quorum'],
    [new Error('x'), 1, 'failed'],
    [new UsageError('x'), 2, 'usage'],
    [new ConfigError('x'), 2, 'config'],
    [new ParamError('x'), 2, 'params'],
    [new KeyFileError('x'), 3, 'key_file'],
    [new ManifestError('x'), 4, 'manifest'],
    [new VwsError({ status: 0, code: 'unreachable', message: 'x' }), 5, 'unreachable'],
  ])('%s', (error, exit, code) => expect(failureOf(error)).toMatchObject({ exit, code, text: 'x' }));

  it('cover values that are not Errors', () =>
    expect(failureOf('odd')).toEqual({ exit: 1, code: 'failed', text: 'odd' }));

  it('are explained, each once', () => {
    expect(EXIT_MEANINGS.map(([code]) => code)).toEqual(Object.values(EXIT));
  });
});
