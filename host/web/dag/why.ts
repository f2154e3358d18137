// Why a vertex is final, or why not yet, in sentences, each with the vertices that it is about.
// Keeps: what the core decided is taken from its answers (order, block, leader); who voted follows from the references.

import type { Vertex } from '../../client/index.ts';
import { formatCount } from '../text/amount.ts';
import { formatRatio, plural } from '../text/words.ts';
import { pathDown, type Seating, type Support, votesFor } from './votes.ts';

export type Role = 'leader' | 'vote' | 'certificate' | 'path';

export interface Step {
  name: string;
  text: string;
  marks: ReadonlyMap<string, Role>;
}

export interface Why {
  /** One sentence. */
  answer: string;
  steps: Step[];
}

interface Question {
  vertices: readonly Vertex[];
  seating: Seating;
  nameOf(author: string): string;
}

/** `v1, v2 and v3 (75 % of the weight)`. */
function seatsOf({ vertices, seating, nameOf }: Question, hashes: readonly string[]): string {
  const authors = [...new Set(vertices.filter((v) => hashes.includes(v.hash)).map((v) => v.author))];
  const names = authors.map(nameOf);
  const sum = authors.reduce((all, author) => all + seating.weightOf(author), 0n);
  const share = seating.total > 0n ? Number((sum * 10_000n) / seating.total) / 10_000 : 0;
  const last = names.pop();
  const list = names.length === 0 ? last : `${names.join(', ')} and ${last}`;
  return last === undefined ? 'nobody' : `${list} (${formatRatio(share)} of the weight)`;
}

const marked = (role: Role, hashes: readonly string[]): [string, Role][] =>
  hashes.map((hash) => [hash, role]);

function supportSteps(q: Question, leader: Vertex, of: Support): Step[] {
  const { voters, certifiers, distance } = of;
  const voting = leader.round + distance;
  const leads = marked('leader', [leader.hash]);
  return [
    {
      name: 'Votes',
      text: `The first vertices in round ${voting} of ${seatsOf(q, voters)} refer to the leader, directly or through others. Each is a vote; nobody had to send one.`,
      marks: new Map([...leads, ...marked('vote', voters)]),
    },
    {
      name: 'Certificates',
      text: `In round ${voting + 1} the first vertices of ${seatsOf(q, certifiers)} each refer to votes of a quorum. Each is a certificate.`,
      marks: new Map([...leads, ...marked('vote', voters), ...marked('certificate', certifiers)]),
    },
  ];
}

/** How a committed leader came to be one. */
function committed(q: Question, leader: Vertex): Step[] {
  const votes = votesFor(q.vertices, leader.hash, q.seating);
  const direct = votes && [votes.near, votes.far].find((support) => support.isQuorum);
  if (direct) {
    const steps = supportSteps(q, leader, direct);
    const text =
      'The certificates are of a quorum, so the leader is committed: whatever comes later, no node can decide otherwise.';
    return [...steps, { name: 'Decision', text, marks: steps.at(-1)!.marks }];
  }
  // The lowest anchor is four rounds above (consensus 5.6).
  const [anchor] = q.vertices
    .filter((v) => v.is_leader === true && v.epoch === leader.epoch && v.round >= leader.round + 4)
    .sort((a, b) => a.block! - b.block!);
  const text = anchor
    ? `The certificates shown are of no quorum. The leader follows from the next decided one that is high enough, of ${q.nameOf(anchor.author)} in round ${anchor.round}.`
    : 'The rounds that decided it are not in this section: go to a later one to see them.';
  const more = anchor ? marked('certificate', [anchor.hash]) : [];
  return [{ name: 'Decision', text, marks: new Map([...marked('leader', [leader.hash]), ...more]) }];
}

function whyFinal(q: Question, vertex: Vertex): Why {
  const leader = q.vertices.find(
    (v) => v.is_leader === true && v.epoch === vertex.epoch && v.block === vertex.block,
  );
  const place = `order number ${formatCount(vertex.order!)}`;
  if (!leader)
    return {
      answer: `It is final with ${place}. The leader that ordered it is not in this section: go to a later one to see it.`,
      steps: [],
    };
  const who = q.nameOf(leader.author);
  const path = pathDown(q.vertices, leader.hash, vertex.hash);
  const isSelf = leader.hash === vertex.hash;
  const slot: Step = {
    name: 'Leader',
    text: `${who} is a leader of round ${leader.round}: who leads is drawn by weight when the epoch begins, before any of its vertices exist.`,
    marks: new Map(marked('leader', [leader.hash])),
  };
  const count = path.length - 2;
  const by = count > 0 ? ` through ${count} ${plural(count, 'other')}` : ' directly';
  const order: Step = {
    name: 'Order',
    text: isSelf
      ? `Its block ${leader.block} orders everything below it that was not ordered before, itself last: ${place}.`
      : `The leader refers to this vertex${path.length > 1 ? by : ''}, so its block ${leader.block} orders it: ${place}.`,
    marks: new Map([...marked('path', path), ...marked('leader', [leader.hash])]),
  };
  const answer = isSelf
    ? `It is final since it is a leader that was committed.`
    : `It is final since a leader of round ${leader.round} was committed and refers to it.`;
  return { answer, steps: [slot, ...committed(q, leader), order] };
}

function whyOpen(q: Question, vertex: Vertex): Why {
  const children = q.vertices.filter((v) => v.parents.includes(vertex.hash)).map((v) => v.hash);
  const last = Math.max(0, ...q.vertices.filter((v) => v.is_leader).map((v) => v.round));
  const first: Step =
    children.length === 0
      ? { name: 'References', text: 'No vertex refers to it yet.', marks: new Map() }
      : {
          name: 'References',
          text: `Vertices of ${seatsOf(q, children)} refer to it already.`,
          marks: new Map(marked('path', children)),
        };
  return {
    answer: `It is not final yet: no committed leader refers to it. The newest one here is of round ${last}.`,
    steps: [first],
  };
}

/** Undefined for a vertex that is not in the list. */
export function whyOf(q: Question, hash: string): Why | undefined {
  const vertex = q.vertices.find((v) => v.hash === hash);
  if (!vertex) return undefined;
  return vertex.order === undefined ? whyOpen(q, vertex) : whyFinal(q, vertex);
}
