// The browser that tests and benchmarks drive: Debian's Chromium, headless, making no network requests of its own.

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { readEnv } from '../../host/config/config.ts';

const NAMES = ['chromium', 'chromium-browser'];
export const CHROMIUM_FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Path of the browser, or undefined. */
export function findChromium(): string | undefined {
  const folders = [...(readEnv().PATH ?? '').split(delimiter), '/usr/bin'];
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(isProgram);
}
