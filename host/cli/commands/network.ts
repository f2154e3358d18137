// vws network: GET /v1/network/state.

import type { NetworkState } from '../../client/index.ts';
import { formatTokens } from '../amount.ts';
import { type Command, isSwitchOn } from '../command.ts';
import { JSON_OPTION, openClient } from '../connection.ts';
import { EXIT } from '../exit-code.ts';
import { formatTime, printJson, printObject, printTable } from '../output.ts';

const HEADS = ['Category', 'Validators', 'Standard', 'High', 'Enterprise', 'Replay reserve'];

const SILENT_HEADS = ['Silent seat', 'Validator', 'Since', 'Epoch', 'Counts in the order'];

type Category = NetworkState['categories'][number];
type SilentSeat = NetworkState['silent_seats'][number];

/** `open`, or how many validators the lane needs. */
const laneText = (isOpen: boolean, floor: number, count: number): string =>
  isOpen ? 'open' : count < floor ? `needs ${floor}` : 'closed';

const rowOf = (c: Category): string[] => [
  c.name,
  String(c.validator_count),
  laneText(c.standard_available, c.floor_standard, c.validator_count),
  laneText(c.high_available, c.floor_high, c.validator_count),
  laneText(c.enterprise_available, c.floor_enterprise, c.validator_count),
  `${formatTokens(c.replay_reserve)}${c.replay_reserve_healthy ? '' : ' (low)'}`,
];

const silentRow = (s: SilentSeat): string[] => [
  String(s.seat),
  s.validator_id,
  formatTime(s.since),
  String(s.from_epoch),
  s.is_removed ? 'no, until it is heard' : 'yes',
];

export const network: Command = {
  name: 'network',
  summary: 'show validators, assurance lanes and parameters of the network',
  about: `Shows how many validators there are, which assurance lanes each category offers, and the network's
parameters. A lane opens at a minimum number of active validators; lanes above standard exist only
for code, data, analysis and content.`,
  options: [JSON_OPTION],
  settings: 'client',
  examples: ['vws network', 'vws network --node http://node.example.org:8338 --json'],
  async run(context) {
    const state = await openClient(context).networkState();
    if (isSwitchOn(context, 'json')) {
      printJson(context.io, state);
      return EXIT.DONE;
    }
    const { categories, params, silent_seats: silent, ...rest } = state;
    printObject(context.io, rest);
    context.io.out('');
    if (silent.length > 0) {
      printTable(context.io, SILENT_HEADS, silent.map(silentRow));
      context.io.out('');
    }
    printTable(context.io, HEADS, categories.map(rowOf));
    context.io.out('');
    printTable(
      context.io,
      ['Parameter', 'Value'],
      Object.entries(params).map(([name, value]) => [name, String(value)]),
    );
    return EXIT.DONE;
  },
};
