// Writes vectors: asks a module through the JavaScript host and notes the question with its answer.
// Keeps: every answer in the file is one that the module itself gave.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hex } from '../../core/driver.ts';
import { openDoor } from '../js/doors.mjs';

export const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();
export const readModule = (name: string): Uint8Array =>
  readFileSync(new URL(`../../../build/${name}`, import.meta.url));

export class Recorder {
  readonly #lines: string[];
  readonly #door;

  /** Builds of one module, of which the first is asked. */
  constructor(...modules: string[]) {
    this.#lines = [`module ${modules.join(' ')}`];
    this.#door = openDoor(modules[0]!, readModule(modules[0]!), sha256);
  }

  note(text: string): void {
    this.#lines.push(`# ${text}`);
  }

  /** Asks and notes; bytes are written as x and hex. */
  ask(verb: string, ...args: (Uint8Array | number)[]): string {
    const texts = args.map((arg) => (typeof arg === 'number' ? `${arg}` : `x${hex(arg)}`));
    const answer = this.#door.answer(verb, texts);
    this.#lines.push(`${[verb, ...texts].join(' ')} = ${answer}`);
    return answer;
  }

  text(): string {
    return `${this.#lines.join('\n')}\n`;
  }
}
