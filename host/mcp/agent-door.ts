// The parts behind `vws mcp`: the tools of one agent, whose key this process holds.

import type { VwsClientOptions } from '../client/client.ts';
import { VwsClient } from '../client/client.ts';
import { systemEnvironment } from '../client/environment.ts';
import type { Agent } from '../client/objects.ts';
import { VwsError } from '../client/vws-error.ts';
import { Fence } from '../wire/fence.ts';
import { LogCheck, type StartCheck } from './log-check.ts';
import type { ServerParts } from './server.ts';
import type { Spending } from './spending.ts';
import type { Spool } from './spool.ts';
import { SpooledClient } from './spooled-client.ts';
import type { Intent, ToolContext } from './tool.ts';
import { agentTools } from './tools.ts';

interface AgentDoorOptions {
  client: VwsClientOptions;
  spool: Spool;
  /** The account of a chain, whose limits may differ. */
  spending(chainId: string): Spending;
  startCheck: StartCheck;
  /** Names of tools to offer; undefined: all. */
  allowed: readonly string[] | undefined;
  onFault(error: unknown): void;
}

export function agentDoor(options: AgentDoorOptions): ServerParts {
  const { spool, allowed, onFault } = options;
  const environment = options.client.environment ?? systemEnvironment;
  const reads = new VwsClient({ ...options.client, environment });
  const logCheck = new LogCheck(options.startCheck, environment.clock);
  let ownId: string | undefined;
  let opened: { network: string; chainId: string; spending: Spending } | undefined;
  /** Known once the node has answered. */
  const open = async () => {
    if (opened) return opened;
    const { genesis_hash: network } = await reads.status();
    const chainId = await reads.ownChain();
    opened ??= { network, chainId, spending: options.spending(chainId) };
    return opened;
  };

  const shared: Omit<ToolContext, 'fence'> = {
    calls: reads,
    environment,
    ownKey: reads.ownKey,
    async ownId() {
      if (reads.ownKey !== undefined) ownId ??= await idOf(reads, reads.ownKey);
      return ownId;
    },
    act: async (intent: Intent, write) => {
      const { network, chainId, spending } = await open();
      const { seenOrder } = reads;
      const client = new SpooledClient(
        { ...options.client, environment, chainId, seenOrder },
        { network, spool, spending },
        intent,
      );
      const answer = await write(client);
      return { ...answer, txid: client.txid };
    },
    allowance: async () => (await open()).spending.report(),
    logCheck,
    prove: reads.verifyProof,
    textOf: reads.tasks.textOf,
  };
  return {
    tools: agentTools(reads.ownKey !== undefined, allowed),
    context: () => ({ ...shared, fence: new Fence(environment.randomBytes) }),
    onFault,
  };
}

/** Undefined while nobody is registered under the key. */
async function idOf(reads: VwsClient, key: string): Promise<string | undefined> {
  try {
    return (await reads.get<Agent>(`/v1/agents/${key}`)).agent_id;
  } catch (error) {
    if (error instanceof VwsError && error.code === 'agent_not_found') return undefined;
    throw error;
  }
}
