// The tool that does not believe the node.

import { type Proven, partsOf } from '../../proofs/proofs.ts';
import type { Fence } from '../../wire/fence.ts';
import { LogFault } from '../../wire/log-fault.ts';
import { AGENT, amount, isoTime } from '../fields.ts';
import type { LogCheck, LogReport } from '../log-check.ts';
import { ToolRefusal } from '../refusal.ts';
import { type Answer, reading, type ToolContext, tool } from '../tool.ts';

const LIE =
  'The node lied or is damaged: trust nothing it says, use another node, tell the person who runs this.';
/** Clients give up after 60 s. */
const WAIT_MS = 40_000;

const verifyLog = tool({
  name: 'verify_log',
  title: 'Recompute the log instead of believing the node',
  description:
    'Downloads the log of the node, checks every signature, recomputes order and state here and compares them with what the validators signed: checked, not believed. Optionally compares one agent and one task; from "proof" only proves these, at once. May take several calls.',
  fields: {
    from: {
      kind: 'enum',
      values: ['checkpoint', 'genesis', 'proof'],
      doc: 'default checkpoint: the newest state a quorum signed; genesis: all',
    },
    genesis_hash: {
      kind: 'str',
      max: 64,
      form: 'hex64',
      doc: 'the network you mean; default: the one the node names',
    },
    agent_id: { ...AGENT, doc: 'compare the balance of this agent too' },
    task_id: { kind: 'str', min: 1, max: 64, doc: 'compare this task too' },
  },
  hints: reading(false),
  needs: 'local',
  async run(context, { from, genesis_hash, agent_id, task_id }) {
    if (from === 'proof')
      return prove(context, genesis_hash?.toLowerCase(), { agent: agent_id, task: task_id });
    const question = {
      from: from === 'genesis' ? ('genesis' as const) : ('checkpoint' as const),
      genesisHash: genesis_hash?.toLowerCase(),
      agentId: agent_id,
      taskId: task_id,
    };
    const asked = await (context.logCheck as LogCheck).ask(question, WAIT_MS);
    if (!('report' in asked)) {
      return {
        is_finished: false,
        order: asked.order,
        to_order: asked.toOrder,
        next: 'It runs on: repeat the same call for the report.',
      };
    }
    const { report } = asked;
    const { fault, compared, ...rest } = report;
    return {
      is_finished: true,
      ...rest,
      ...(fault === undefined ? {} : { fault: faultOf(fault.kind, fault.text, context.fence) }),
      compared: compared.map((one) =>
        one.text === undefined ? one : { ...one, text: saidText(one.text, context.fence) },
      ),
      next: nextStep(report),
    };
  },
});

/** Enough to see what differs. */
const MAX_SAID_CHARS = 500;

/** A text in which a node that lies, or a poster, may be quoted: what a document says here, and what the node says. */
const saidText = (text: string, fence: Fence): string =>
  fence.text('the node', text.slice(0, MAX_SAID_CHARS));

const faultOf = (kind: string, text: string, fence: Fence) => ({ kind, text: saidText(text, fence) });

/** Checkpoints are minutes apart: beyond this age a node hides newer ones, or the network stands still. */
const OLD_SECS = 3600;

/** Proves an agent and a task as the newest checkpoint has them that the node shows. */
async function prove(
  { prove, fence, environment }: ToolContext,
  genesisHash: string | undefined,
  asked: Record<'agent' | 'task', string | undefined>,
): Promise<Answer> {
  const ids = Object.entries(asked).filter((one): one is ['agent' | 'task', string] => one[1] !== undefined);
  if (ids.length === 0)
    throw new ToolRefusal('invalid_request', 'nothing to prove', 'Name agent_id or task_id.');
  const proven: object[] = [];
  let network: string | undefined;
  let isOld = false;
  for (const [kind, id] of ids) {
    try {
      const found = await prove!(kind, id, { genesisHash });
      const age_secs = Math.floor((environment.clock.nowMs() - found.timeMs) / 1000);
      network = found.genesisHash;
      isOld ||= age_secs > OLD_SECS;
      proven.push({ ...shownOf(kind, id, found, fence), age_secs });
    } catch (error) {
      if (!(error instanceof LogFault)) throw error;
      const fault = faultOf(error.kind, error.message, fence);
      return { is_finished: true, shown: 'lie', fault, proven, next: LIE };
    }
  }
  const next = [
    'Each is true of its checkpoint; what happened since is not in it.',
    ...(isOld ? ['A checkpoint is old: the node hides newer ones, or the network stands still.'] : []),
    ...(genesisHash === undefined
      ? ["Which network it is was the node's choice: compare genesis_hash."]
      : []),
  ].join(' ');
  return { is_finished: true, shown: 'proven', genesis_hash: network, proven, next };
}

/** The members of a task's documents that are shown. */
interface TaskParts {
  text: { title: string };
  state: { core: { status: string; budget: number } };
}

function shownOf(kind: 'agent' | 'task', id: string, proven: Proven, fence: Fence): object {
  const { height, order, timeMs, rows } = proven;
  const at = { kind, id, checkpoint: height, order, time: isoTime(Math.floor(timeMs / 1000)) };
  const parts = partsOf(kind, proven);
  if (parts === undefined) return { ...at, exists: false };
  if (kind === 'task') {
    const { text, state } = parts as unknown as TaskParts;
    const { status, budget } = state.core;
    return {
      ...at,
      exists: true,
      title: fence.text('the poster', text.title),
      status,
      budget: amount(budget),
    };
  }
  const account = rows?.account;
  if (!account) return { ...at, exists: true };
  const [balance, stake, reserved] = [account.balance, account.staked_amount, account.reserved].map(amount);
  return { ...at, exists: true, balance, stake, reserved };
}

/** What to make of a report: never more than it shows. */
function nextStep({ shown, compared, findings }: LogReport): string {
  const all = [shown, ...compared.map((one) => one.shown)];
  if (all.includes('lie')) return LIE;
  if (findings.length > 0) return 'No lie was found, but read the findings before you rely on this node.';
  if (all.includes('not_comparable')) return 'What is marked not_comparable was not compared: ask again.';
  if (all.includes('as_the_node_says'))
    return 'No lie was found. What is marked as_the_node_says rests on this node alone: from "genesis" it is checked.';
  return 'The log holds up to this order, and what was compared is true.';
}

export const LOG_TOOLS = [verifyLog];
