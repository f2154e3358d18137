// vws dag: the vertices of a node and their order (protocol 4.10).

import type { Vertex } from '../../client/index.ts';
import type { Command, CommandContext } from '../command.ts';
import { integerOption, JSON_OPTION, limitOf, openClient, printAnswer, printList } from '../connection.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { formatTime } from '../output.ts';
import { needed, runVerb, type Verb } from '../verbs.ts';

const NAME = 'dag';
const HEADS = ['Order', 'Vertex', 'Epoch', 'Round', 'Author', 'Leader', 'Entries', 'Time'];

const rowOf = (vertex: Vertex): string[] => [
  String(vertex.order ?? '-'),
  vertex.hash,
  String(vertex.epoch),
  String(vertex.round),
  vertex.author,
  vertex.is_leader ? 'yes' : '-',
  String(vertex.tx_count),
  vertex.consensus_time === undefined ? '-' : formatTime(vertex.consensus_time),
];

async function list(context: CommandContext): Promise<ExitCode> {
  const query = { after: integerOption(context, 'after'), limit: limitOf(context) };
  printList(context, HEADS, await openClient(context).vertices(query), rowOf);
  return EXIT.DONE;
}

const VERBS: Readonly<Record<string, Verb>> = {
  stats: {
    needs: [],
    async run(context) {
      printAnswer(context, await openClient(context).dagStats());
      return EXIT.DONE;
    },
  },
  tips: {
    needs: [],
    async run(context) {
      printAnswer(context, await openClient(context).dagTips());
      return EXIT.DONE;
    },
  },
  list: { needs: [], run: list },
  show: {
    takes: 'vertex',
    needs: ['vertex'],
    async run(context) {
      printAnswer(context, await openClient(context).vertex(needed(context, 'vertex')));
      return EXIT.DONE;
    },
  },
};

export const dag: Command = {
  name: NAME,
  summary: "show a node's vertices and their order",
  about: `stats  how many vertices and events there are.
tips   vertices that no other refers to yet.
list   ordered vertices, in their order.
show   one vertex with the entries that it carries.`,
  words: Object.keys(VERBS).join('|'),
  maxWords: 2,
  options: [
    { name: 'vertex', value: 'hash', help: 'show: the vertex; may be given as a word: vws dag show 4f1c…' },
    { name: 'after', value: 'order', help: 'list: those behind this order (default 0)' },
    { name: 'limit', value: 'n', help: 'list: at most this many, 1..200 (default 50)' },
    JSON_OPTION,
  ],
  settings: 'client',
  examples: ['vws dag stats', 'vws dag list --after 1200 --limit 20', 'vws dag show 4f1c…09ab'],
  run: (context) => runVerb(NAME, VERBS, context),
};
