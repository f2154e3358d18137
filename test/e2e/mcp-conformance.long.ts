// The conformance suite of the Model Context Protocol against a node's /mcp, for both generations of the protocol. What does
// not apply is listed with its reason in mcp-conformance/; anything else that fails, and anything there that passes, is an
// error of this test.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { Testbed } from './testbed.ts';

const SUITE = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);
const baseline = (revision: string): string =>
  fileURLToPath(new URL(`./mcp-conformance/${revision}.yml`, import.meta.url));
/** The suite needs Node 22. */
const LEAST_NODE = 22;
const NODE: readonly string[] =
  Number(process.versions.node.split('.')[0]) >= LEAST_NODE
    ? [process.execPath]
    : ['npx', '--yes', `node@${LEAST_NODE}`];

const bed = new Testbed();
afterAll(() => bed.close());

function run([program, ...args]: readonly string[], cwd: string): Promise<{ code: number; out: string }> {
  return new Promise((done) => {
    execFile(program as string, args, { cwd, timeout: 300_000, maxBuffer: 1 << 26 }, (error, out, err) =>
      done({ code: error ? Number(error.code ?? -1) : 0, out: `${out}\n${err}` }),
    );
  });
}

const hasNode = (await run([...NODE, '--version'], process.cwd())).code === 0;

describe.skipIf(!hasNode)(
  '/mcp under the conformance suite (skipped without Node 22 and a package registry)',
  () => {
    it.each(['2026-07-28', '2025-11-25'])(
      'does what revision %s requires',
      async (revision) => {
        const dataDir = await bed.directory();
        const { port } = await bed.start({ dataDir });
        const { code, out } = await run(
          [
            ...[
              ...NODE,
              SUITE,
              'server',
              '--url',
              `http://127.0.0.1:${port}/mcp`,
              '--requirements',
              revision,
            ],
            ...['--expected-failures', baseline(revision), '--output-dir', `${dataDir}.results`],
          ],
          dataDir,
        );
        expect(out).toContain('✓ tools-list');
        expect(out).toContain('✓ dns-rebinding-protection');
        expect(code, out.slice(-4000)).toBe(0);
      },
      360_000,
    );
  },
);
