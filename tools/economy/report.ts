// The outcome of a run as tables for people.

import type { Account, Books } from './books.ts';
import { CHARACTERS } from './cast.ts';

const TOKEN = 1_000_000;
const tokens = (amount: number): string => (amount / TOKEN).toFixed(1);

function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('  '),
    )
    .join('\n');
}

/** Fees of verdicts, shares of assurance fees, rewards: the remainder after all other parts. */
const fees = (account: Account): number =>
  account.worth - account.start + account.slashed - account.replayPay - account.bounties;

const HEAD = ['', 'n', 'fees+rewards', 'replays', 'bounties', 'slashed', 'net', 'net each', 'at the end'];

function row(name: string, accounts: readonly Account[]): string[] {
  const sum = (of: (account: Account) => number): number => accounts.reduce((all, a) => all + of(a), 0);
  const net = sum((a) => a.worth - a.start);
  const states = new Map<string, number>();
  for (const { status } of accounts) states.set(status, (states.get(status) ?? 0) + 1);
  const state = [...states].map(([status, count]) => (accounts.length === 1 ? status : `${count} ${status}`));
  return [
    name,
    String(accounts.length),
    tokens(sum(fees)),
    tokens(sum((a) => a.replayPay)),
    tokens(sum((a) => a.bounties)),
    tokens(-sum((a) => a.slashed)),
    tokens(net),
    tokens(net / Math.max(1, accounts.length)),
    state.join(', '),
  ];
}

/** By character, in tokens. */
export function groupTable(books: Books): string {
  const accounts = [...books.accounts.values()];
  const rows = CHARACTERS.map(({ name }) =>
    row(
      name,
      accounts.filter(({ judge }) => judge.character.name === name),
    ),
  );
  return table([HEAD, ...rows]);
}

/** Each validator, in tokens. */
export function judgeTable(books: Books): string {
  return table([HEAD, ...[...books.accounts.values()].map((account) => row(account.judge.name, [account]))]);
}

export function eventLines(books: Books): string {
  const { events, completed, cancelled, badCompleted, volume } = books.tally;
  const list = [...events].sort(([a], [b]) => (a < b ? -1 : 1)).map(([type, count]) => `${type} ${count}`);
  return [
    `tasks: ${completed} completed (${badCompleted} of them bad work), ${cancelled} cancelled; paid for ${tokens(volume)} tokens`,
    `events: ${list.join(', ')}`,
  ].join('\n');
}
