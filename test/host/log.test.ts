import { expect, it } from 'vitest';
import { createLogger, type LogLevel } from '../../host/log.ts';

function collect(level: LogLevel) {
  const lines: Record<string, unknown>[] = [];
  const log = createLogger(level, { write: (line) => lines.push(JSON.parse(line)) });
  return { log, lines };
}

it('writes one JSON object a line, with level and time as text', () => {
  const { log, lines } = collect('info');
  log.info({ port: 8338 }, 'ready');
  log.warn('careful');
  log.error({ err: new Error('broken') }, 'failed');
  expect(lines[0]).toMatchObject({ level: 'info', port: 8338, msg: 'ready' });
  expect(lines[0]!.time).toMatch(/^\d{4}-\d\d-\d\dT/);
  expect(lines[1]).toMatchObject({ level: 'warn', msg: 'careful' });
  expect(lines[2]).toMatchObject({ level: 'error', err: { message: 'broken' } });
});

it('keeps quiet below its level', () => {
  const { log, lines } = collect('warn');
  log.debug('a');
  log.info('b');
  log.warn('c');
  expect(lines.map((line) => line.msg)).toEqual(['c']);
});

it('never writes what stands under the name of a secret', () => {
  const { log, lines } = collect('debug');
  log.info({ passphrase: 'hunter2', config: { secret: 'hunter2', apiKey: 'vws_hunter2', port: 1 } }, 'x');
  log.info({ headers: { 'x-api-key': 'vws_hunter2' } }, 'y');
  expect(JSON.stringify(lines)).not.toContain('hunter2');
  expect(lines[0]).toMatchObject({ passphrase: '[secret]', config: { port: 1 } });
});
