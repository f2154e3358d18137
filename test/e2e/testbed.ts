// The nodes of a test file: each started on its own directory, stopped and removed after the tests.
// A network of several validators runs on one node whose seat holds a quorum alone; the others only vote.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Signer } from '../../host/client/signer.ts';
import { generateSeed } from '../../host/crypto/key-pair.ts';
import { createNodeKeyFile } from '../../host/crypto/node-key-file.ts';
import type { InitialStatus } from '../../host/wire/manifest.ts';
import { NodeProcess, type NodeStart, PASSPHRASE } from '../../tools/load/node-process.ts';
import { newSigner } from '../../tools/load/signed-writes.ts';
import { TOKEN } from './agent.ts';

export interface Validator {
  id: string;
  signer: Signer;
}

export interface Network {
  dataDir: string;
  env: Record<string, string>;
  /** The operator of the node's seat, whose key is the node's. */
  operator: Signer;
  /** Operators of the seats without a node, in the order asked for. */
  others: Validator[];
}

export class Testbed {
  readonly #dirs: string[] = [];
  readonly #nodes: NodeProcess[] = [];

  async directory(): Promise<string> {
    const dir = await mkdtemp(join(tmpdir(), 'vws-e2e-'));
    this.#dirs.push(dir);
    return join(dir, 'data');
  }

  async start(options: NodeStart): Promise<NodeProcess> {
    const node = await NodeProcess.start(options);
    this.#nodes.push(node);
    return node;
  }

  /** A start that is expected to fail: how it ended. */
  async refusal(options: NodeStart): Promise<{ code: number | null; log: string }> {
    const node = NodeProcess.launch(options);
    this.#nodes.push(node);
    return node.ended();
  }

  /**
   * A data directory with a known key. `others`: status of further validators, each with a tenth of the stake, by default
   * too little to be drawn for panels.
   */
  async network(others: readonly InitialStatus[] = [], stakeTokens = 10_000): Promise<Network> {
    const dataDir = await this.directory();
    const operator = createNodeKeyFile(dataDir, PASSPHRASE, {}, generateSeed());
    const seats = others.map((status, i) => ({ id: `seat-${i + 1}`, signer: newSigner(), status }));
    const env: Record<string, string> = {};
    if (seats.length > 0) {
      const own = { id: 'seat-0', signer: operator, status: 'active' as const };
      const entries = [own, ...seats].map(({ id, signer, status }) => ({
        validator_id: id,
        operator_agent_id: signer.publicKeyHex,
        consensus_public_key: signer.publicKeyHex,
        key_epoch: 1,
        bonded_stake: (id === own.id ? 10 : 1) * stakeTokens * TOKEN,
        initial_status: status,
      }));
      env.SERVICE_VALIDATOR_MANIFEST = `${dataDir}.manifest.json`;
      env.SERVICE_CONSENSUS_MIN_PARTICIPANTS = '1';
      await writeFile(env.SERVICE_VALIDATOR_MANIFEST, JSON.stringify({ entries }));
    }
    return { dataDir, env, operator, others: seats };
  }

  async close(): Promise<void> {
    for (const node of this.#nodes) await node.kill();
    for (const dir of this.#dirs) await rm(dir, { recursive: true, force: true });
  }
}
