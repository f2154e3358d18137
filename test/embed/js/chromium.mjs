// Runs the vectors in headless Chromium, on a page that loads the very host that Node runs: node chromium.mjs <vectors>
// <folder> [rounds], or metered programs: node chromium.mjs --programs <file>

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { showPrograms } from './host.mjs';

const arePrograms = process.argv[2] === '--programs';
const [vectors, modules, rounds = '1'] = process.argv.slice(arePrograms ? 3 : 2);
const here = fileURLToPath(new URL('.', import.meta.url));
const hashes = fileURLToPath(new URL('../../../node_modules/@noble/hashes/', import.meta.url));
const TYPES = { html: 'text/html', wasm: 'application/wasm', txt: 'text/plain' };
const PAGE = `<!doctype html><script type="module">
import { runVectors } from '/js/host.mjs';
import { runPrograms } from '/js/programs.mjs';
import { sha256 } from '/hashes/sha2.js';
const NAMES = ['core.wasm', 'core-scalar.wasm', 'consensus.wasm', 'ed25519.wasm', 'ed25519-scalar.wasm'];
window.answer = async (rounds) => {
  const bytes = async (path) => new Uint8Array(await (await fetch(path)).arrayBuffer());
  const files = new Map(await Promise.all(NAMES.map(async (name) => [name, await bytes('/wasm/' + name)])));
  const text = await (await fetch('/vectors.txt')).text();
  return runVectors(text, { readModule: (name) => files.get(name), sha256, now: () => performance.now(), rounds });
};
window.programs = async () => runPrograms(await (await fetch('/vectors.txt')).text(), sha256);
</script>`;

function fileOf(path) {
  if (path === '/vectors.txt') return vectors;
  const [, folder, ...rest] = path.split('/');
  const root = { js: here, hashes, wasm: `${modules}/` }[folder];
  return root && !rest.includes('..') ? root + rest.join('/') : undefined;
}

async function showVectors(page) {
  const results = await page.evaluate((n) => window.answer(n), Number(rounds));
  for (const { name, cases, mismatches, loadMs, runMs } of results) {
    for (const text of mismatches.slice(0, 3)) console.error(`${name}: ${text}`);
    const times = `load_ms=${loadMs.toFixed(1)} run_ms=${runMs.toFixed(1)}`;
    console.log(`${name} cases=${cases} mismatches=${mismatches.length} ${times}`);
  }
  process.exitCode = results.some((result) => result.mismatches.length > 0) ? 1 : 0;
}

const server = createServer(async (request, response) => {
  const file = fileOf(request.url);
  const body = request.url === '/' ? PAGE : file && (await readFile(file).catch(() => undefined));
  const type = request.url === '/' ? TYPES.html : (TYPES[request.url.split('.').at(-1)] ?? 'text/javascript');
  response.writeHead(body === undefined ? 404 : 200, { 'content-type': type }).end(body);
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
];
const browser = await chromium.launch({
  executablePath: process.env.VWS_CHROMIUM ?? '/usr/bin/chromium',
  args,
});
try {
  const page = await browser.newPage();
  page.on('pageerror', (error) => console.error(error.message));
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.waitForFunction(() => window.answer);
  if (arePrograms) process.exitCode = showPrograms(await page.evaluate(() => window.programs()));
  else await showVectors(page);
} finally {
  await browser.close();
  server.close();
}
