// Runs the lines of a vector file on the modules and compares the answers: node host.mjs <vectors> <folder> [rounds]
// or metered programs: node host.mjs --programs <file>
// Keeps: no import of Node at the top, so a browser page can use `runVectors` as it stands.

import { openDoor } from './doors.mjs';
import { runPrograms } from './programs.mjs';

/** Runs all vectors on each module, `rounds` times: cases, mismatches (told as texts), best time of a round. */
export function runVectors(text, { readModule, sha256, now, rounds = 1 }) {
  const results = [];
  for (const section of text.split('\nmodule ').slice(1)) {
    const [names, ...lines] = section.trim().split('\n');
    const cases = lines
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => line.split(' = '));
    for (const name of names.split(' ')) {
      const started = now();
      const door = openDoor(name, readModule(name), sha256);
      const result = { name, cases: cases.length, mismatches: [], loadMs: now() - started, runMs: Infinity };
      for (let round = 0; round < rounds; round++) {
        const begun = now();
        for (const [question, expected] of cases) {
          const [verb, ...args] = question.split(' ');
          const answer = door.answer(verb, args);
          if (answer !== expected)
            result.mismatches.push(`${question.slice(0, 60)}: ${answer}, expected ${expected}`);
        }
        result.runMs = Math.min(result.runMs, now() - begun);
      }
      results.push(result);
    }
  }
  return results;
}

/** Prints what came of programs; the exit code. */
export function showPrograms({ cases, mismatches, digest }) {
  for (const text of mismatches.slice(0, 3)) console.error(text);
  console.log(`programs cases=${cases} mismatches=${mismatches.length} answers=${digest}`);
  return mismatches.length > 0 ? 1 : 0;
}

async function main([vectors, modules, rounds = '1']) {
  const { readFileSync } = await import('node:fs');
  const { createHash } = await import('node:crypto');
  const sha256 = (bytes) => createHash('sha256').update(bytes).digest();
  if (vectors === '--programs') {
    process.exitCode = showPrograms(runPrograms(readFileSync(modules, 'utf8'), sha256));
    return;
  }
  const results = runVectors(readFileSync(vectors, 'utf8'), {
    readModule: (name) => readFileSync(`${modules}/${name}`),
    sha256,
    now: () => performance.now(),
    rounds: Number(rounds),
  });
  for (const { name, cases, mismatches, loadMs, runMs } of results) {
    for (const text of mismatches.slice(0, 3)) console.error(`${name}: ${text}`);
    const times = `load_ms=${loadMs.toFixed(1)} run_ms=${runMs.toFixed(1)}`;
    console.log(`${name} cases=${cases} mismatches=${mismatches.length} ${times}`);
  }
  process.exitCode = results.some((result) => result.mismatches.length > 0) ? 1 : 0;
}

if (globalThis.process?.argv[1]?.endsWith('host.mjs')) await main(process.argv.slice(2));
