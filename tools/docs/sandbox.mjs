// A place to run the examples of one document in: a fresh folder outside of the project with a node of its own.
// Keeps: what an example leaves behind (files, variables, processes) reaches later examples of the same document and
// nothing else; close() ends all processes and removes the folder.
//
//   <temporary folder>/here        where the examples run, as if it were the folder of the project after a build
//                     /here/data   the data directory of the node, with operator.key
//                     /here/node_modules, /here/build   links into the project; node_modules/vws is the project
//                     /bin         vws and npx, so that `npx vws` starts at once
//                     /home        HOME, so that ~/.vws is not that of who runs the check

import { spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const READY_MS = 30_000;
const BLOCK_MS = 60_000;
const DEFAULT_ADDRESS = /(?<![\w.])(?:127\.0\.0\.1|localhost):8338\b/g;

/** Runs before a block: the variables and the folder that the one before it left. */
const BEFORE = `set -e -o pipefail
if [ -f "$EXAMPLE_STATE" ]; then . "$EXAMPLE_STATE"; cd "$PWD"; fi
set -a
trap 'status=$?; export -p > "$EXAMPLE_STATE"; exit $status' EXIT
`;

function environment(folder) {
  const kept = Object.entries(process.env).filter(([name]) => !/^(?:SERVICE_|npm_|VITEST|NODE_)/.test(name));
  return {
    ...Object.fromEntries(kept),
    HOME: join(folder, 'home'),
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
    EXAMPLE_STATE: join(folder, 'state'),
  };
}

function link(root, here) {
  const modules = join(root, 'node_modules');
  mkdirSync(join(here, 'node_modules'));
  const names = existsSync(modules) ? readdirSync(modules).filter((name) => !name.startsWith('.')) : [];
  for (const name of names) symlinkSync(join(modules, name), join(here, 'node_modules', name));
  symlinkSync(root, join(here, 'node_modules/vws'));
  symlinkSync(join(root, 'build'), join(here, 'build'));
}

function shim(root, bin) {
  const call = `exec "${process.execPath}" "${join(root, 'build/host/cli/main.js')}" "$@"\n`;
  writeFileSync(join(bin, 'vws'), `#!/bin/sh\n${call}`, { mode: 0o755 });
  const npx = `#!/bin/sh\nif [ "$1" = vws ]; then shift; ${call.trim()}; fi\necho "only npx vws runs here" >&2; exit 1\n`;
  writeFileSync(join(bin, 'npx'), npx, { mode: 0o755 });
}

export class Sandbox {
  #folder;
  #here;
  #env;
  #groups = [];
  #blocks = 0;
  #address = '127.0.0.1:8338';
  #onExit = () => this.close();

  constructor(root) {
    this.#folder = mkdtempSync(join(tmpdir(), 'vws-docs-'));
    this.#here = join(this.#folder, 'here');
    for (const name of ['here', 'bin', 'home']) mkdirSync(join(this.#folder, name));
    link(root, this.#here);
    shim(root, join(this.#folder, 'bin'));
    this.#env = environment(this.#folder);
    process.on('exit', this.#onExit);
  }

  #start(name, command, args) {
    const files = [join(this.#folder, `${name}.out`), join(this.#folder, `${name}.err`)];
    const [out, err] = files.map((file) => openSync(file, 'w'));
    // A process group of its own, so that whatever it starts ends with it.
    const child = spawn(command, args, {
      cwd: this.#here,
      env: this.#env,
      stdio: ['ignore', out, err],
      detached: true,
    });
    this.#groups.push(child.pid);
    closeSync(out);
    closeSync(err);
    return { child, read: () => files.map((file) => readFileSync(file, 'utf8')) };
  }

  /** Starts the node; the default address, in examples and of client commands, is its address from then on. */
  async startNode() {
    const addresses = ['--api', '127.0.0.1:0', '--listen', '127.0.0.1:0'];
    const { child, read } = this.#start('node', 'vws', ['try', '--data', 'data', ...addresses]);
    for (const end = Date.now() + READY_MS; Date.now() < end && child.exitCode === null; ) {
      const [out] = read();
      const api = /^API: http:\/\/(\S+)$/m.exec(out)?.[1];
      if (api !== undefined && /^ready$/m.test(out)) {
        this.#address = api;
        this.#env.SERVICE_NODE = `http://${api}`;
        return;
      }
      await new Promise((done) => setTimeout(done, 25));
    }
    throw new Error(`the node of the examples did not start: ${read()[1].trim()}`);
  }

  /** Runs one block: its exit status (undefined: out of time), standard output and standard error. */
  async run(tag, text) {
    const name = `block-${++this.#blocks}`;
    const code = text.replace(DEFAULT_ADDRESS, this.#address);
    const file = join(this.#here, `${name}.${{ js: 'mjs', python: 'py', sh: 'sh' }[tag]}`);
    const call = { js: `"${process.execPath}" "${file}"`, python: `python3 "${file}"` }[tag];
    writeFileSync(file, tag === 'sh' ? BEFORE + code : code);
    const script = tag === 'sh' ? [file] : ['-c', BEFORE + call];
    const { child, read } = this.#start(name, 'bash', script);
    const status = await new Promise((done) => {
      const timer = setTimeout(() => done(undefined), BLOCK_MS);
      child.on('error', () => done(127));
      child.on('exit', (exit, signal) => {
        clearTimeout(timer);
        done(exit ?? signal);
      });
    });
    const [out, err] = read();
    return { status, out, err };
  }

  close() {
    process.off('exit', this.#onExit);
    for (const group of this.#groups) {
      try {
        process.kill(-group, 'SIGKILL');
      } catch {} // Ended by itself.
    }
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}
