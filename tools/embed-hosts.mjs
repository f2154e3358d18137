// The hosts of test/embed/: what each needs on this machine, how its dependencies are fetched, how it is built and run.
// Keeps: versions are pinned in the hosts' own folders (lock files, hashes); nothing is written outside build/embed/.

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const SOURCES = resolve('test/embed');
const OUT = resolve('build/embed');
/** One of each supported line; the version that runs this tool is used as it is. */
const NODES = { 20: '20.20.2', 22: '22.23.3', 24: '24.9.0' };

const at = (...parts) => join(SOURCES, ...parts);
const out = (...parts) => join(OUT, ...parts);
const windows = process.platform === 'win32';

/** Throws if a jar differs from the reviewed one. */
function checkJars() {
  const expected = readFileSync(at('java/jars.sha256'), 'utf8').trim().split('\n').sort();
  const found = readdirSync(out('java/lib')).map((name) => {
    const digest = createHash('sha256').update(readFileSync(out('java/lib', name)));
    return `${digest.digest('hex')}  ${name}`;
  });
  if (found.sort().join() !== expected.join())
    throw new Error('jars differ from test/embed/java/jars.sha256');
}

const onNode = (name, command, fetch) => ({
  name,
  needs: [],
  fetch,
  build: [],
  run: command,
});

function nodes() {
  const host = at('js/host.mjs');
  const own = process.versions.node.split('.')[0];
  const others = Object.entries(NODES).filter(([major]) => major !== own);
  return [
    onNode(`Node ${process.versions.node}`, [process.execPath, host], []),
    ...others.map(([, version]) => {
      const exec = ['npm', 'exec', '--yes', `--package=node@${version}`, '--', 'node'];
      return onNode(`Node ${version}`, [...exec, host], [[...exec, '--version']]);
    }),
  ];
}

/** Debian's package; upstream downloads come from hosts that are not registries. */
function chromium() {
  return {
    name: 'Chromium',
    needs: [process.env.VWS_CHROMIUM ?? '/usr/bin/chromium'],
    fetch: [],
    build: [],
    run: [process.execPath, at('js/chromium.mjs')],
  };
}

function go() {
  const [cwd, host] = [at('go'), out('go/host')];
  return {
    name: 'Go (wazero)',
    needs: ['go'],
    fetch: [{ cwd, command: ['go', 'mod', 'download'] }],
    build: [{ cwd, command: ['go', 'build', '-mod=readonly', '-o', host, '.'] }],
    run: [host],
    hasProofs: true,
  };
}

function rust() {
  const [cwd, env] = [at('rust'), { CARGO_TARGET_DIR: out('rust') }];
  return {
    name: 'Rust (wasmtime)',
    needs: ['cargo'],
    fetch: [{ cwd, env, command: ['cargo', 'fetch', '--locked'] }],
    build: [{ cwd, env, command: ['cargo', 'build', '--release', '--locked', '--offline'] }],
    run: [out('rust/release/embed')],
    hasProofs: true,
  };
}

function python() {
  const bin = out('python', windows ? 'Scripts' : 'bin', 'python');
  const pip = [bin, '-m', 'pip', '--disable-pip-version-check', 'install', '--quiet', '--require-hashes'];
  return {
    name: 'Python (wasmtime)',
    needs: ['python3'],
    fetch: [
      ['python3', '-m', 'venv', out('python')],
      [...pip, '--only-binary=:all:', '-r', at('python/requirements.txt')],
    ],
    build: [],
    run: [bin, at('python/host.py')],
  };
}

function java() {
  const copy = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies';
  const path = [out('java/lib/*'), out('java/classes')].join(windows ? ';' : ':');
  const sources = ['Door', 'Host', 'Programs', 'Proofs'].map((name) => at(`java/${name}.java`));
  return {
    name: 'Java (Chicory)',
    needs: ['java', 'javac', 'mvn'],
    fetch: [['mvn', '-B', '-q', '-f', at('java/pom.xml'), copy, `-DoutputDirectory=${out('java/lib')}`]],
    build: [checkJars, ['javac', '-cp', path, '-d', out('java/classes'), ...sources]],
    run: ['java', '-cp', path, 'Host'],
    hasProofs: true,
    knownFault:
      'i32.store8, i64.store8 and i64.store32 beyond 2^32 wrap in Chicory 1.7.5 instead of trapping',
  };
}

/**
 * In order of the table. A step is a command, a command with folder and environment, or a function that throws.
 * `hasProofs`: the host checks proofs of documents, too. `knownFault`: why programs may end otherwise there.
 */
export function hosts() {
  mkdirSync(OUT, { recursive: true });
  return [...nodes(), chromium(), go(), rust(), python(), java()];
}

/** Those of `all` whose names contain one of the texts. Throws for a text that none contains. */
export function named(all, texts) {
  const unknown = texts.filter((text) => !all.some(({ name }) => name.includes(text)));
  const names = all.map(({ name }) => name).join(', ');
  if (unknown.length > 0)
    throw new Error(`--only: no host is called ${unknown.join(', ')}; there are: ${names}`);
  return all.filter(({ name }) => texts.some((text) => name.includes(text)));
}
