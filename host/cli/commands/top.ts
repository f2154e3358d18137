// vws top: the live table of one node or several.

import { systemEnvironment } from '../../client/environment.ts';
import { loadClientSettings } from '../../config/config.ts';
import { parseInteger } from '../../config/setting-values.ts';
import { deadline } from '../../world/clock.ts';
import { systemClock } from '../../world/system/clock.ts';
import { type Command, type CommandContext, isSwitchOn, optionText, optionTexts } from '../command.ts';
import { JSON_OPTION } from '../connection.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { printJson } from '../output.ts';
import { Screen, type Watched } from '../top/screen.ts';
import { shownJson, tableLines } from '../top/table.ts';

const ANSWER_MS = 5000;
const MAX_EVERY_SECS = 3600;
/** How often a stop is looked for. */
const STEP_MS = 100;

const pause = (ms: number): Promise<void> => new Promise((done) => systemClock.setTimer(done, ms));

function watchedAt(url: string): Watched {
  const { clock, fetch } = systemEnvironment;
  return {
    name: new URL(url).host,
    url,
    async get(path) {
      const { signal, cancel } = deadline(clock, ANSWER_MS);
      try {
        const response = await fetch(url + path, { signal });
        return { status: response.status, text: await response.text() };
      } finally {
        cancel();
      }
    },
  };
}

/** 5 when no node answers, 1 when two have different states. */
const exitOf = (screen: Screen): ExitCode => {
  if (screen.shown.every(({ now }) => now === undefined)) return EXIT.UNREACHABLE;
  return screen.seen.faults.length > 0 ? EXIT.FAILED : EXIT.DONE;
};

async function once(context: CommandContext, screen: Screen, everyMs: number): Promise<ExitCode> {
  const { io } = context;
  await screen.sample();
  // Rates need two.
  await pause(everyMs);
  await screen.sample();
  if (isSwitchOn(context, 'json')) {
    printJson(
      io,
      screen.shown.map((shown) => shownJson(shown, screen.seen)),
    );
  } else for (const line of [...tableLines(screen.shown, screen.seen), ...screen.seen.faults]) io.out(line);
  return exitOf(screen);
}

async function live({ io }: CommandContext, screen: Screen, everyMs: number): Promise<ExitCode> {
  let isStopped = false;
  const stop = (): void => {
    isStopped = true;
  };
  io.onStopSignal(stop);
  io.onReaderGone(stop);
  const startedMs = systemClock.monotonicMs();
  screen.clear();
  while (!isStopped) {
    const nowMs = systemClock.monotonicMs();
    await screen.sample();
    screen.draw((nowMs - startedMs) / 1000, 'Ctrl-C ends this; the nodes run on');
    while (!isStopped && systemClock.monotonicMs() - nowMs < everyMs) await pause(STEP_MS);
  }
  return exitOf(screen);
}

export const top: Command = {
  name: 'top',
  summary: 'watch nodes: a live table of health, order, state and load',
  about: `One line for each node: health, order, epoch, newest checkpoint, peers, how far it is behind, transactions
and bytes a second, milliseconds that a write takes, processor and memory. With --and, further nodes, and
whether their states agree at common checkpoints; an exclamation mark behind the state if not. Redraws a
terminal in place, prints a line each time elsewhere. Ends with exit code 5 when no node answers, 1 when
two states differ.`,
  options: [
    { name: 'and', value: 'url', help: 'another node; may be repeated', isRepeatable: true },
    { name: 'every', value: 'secs', help: 'seconds between two samples, 1 to 3600; default 1' },
    { name: 'once', help: 'print the table once, from two samples' },
    { ...JSON_OPTION, help: 'with --once: print an array of JSON objects' },
  ],
  settings: 'client',
  examples: ['vws top', 'vws top --node http://n1:8338 --and http://n2:8338', 'vws top --once --json'],
  async run(context) {
    const everyText = optionText(context, 'every') ?? '1';
    const everyMs = 1000 * parseInteger(everyText, '--every', 1, MAX_EVERY_SECS);
    if (isSwitchOn(context, 'json') && !isSwitchOn(context, 'once'))
      throw new UsageError('--json needs --once', 'top');
    const further = optionTexts(context, 'and').map((url) => {
      if (!/^https?:\/\//.test(url) || !URL.canParse(url))
        throw new UsageError(`--and ${url} is no URL`, 'top');
      return url.replace(/\/+$/, '');
    });
    const nodes = [loadClientSettings(context).nodeUrl, ...further].map(watchedAt);
    const write = (text: string): void => void process.stdout.write(text);
    const screen = new Screen(nodes, write, process.stdout.isTTY === true);
    return isSwitchOn(context, 'once') ? once(context, screen, everyMs) : live(context, screen, everyMs);
  },
};
