// What an engine published, as text that two engines or two views can be compared by.

import type { DagVertex, EpochConfig, OrderedBlock } from '../../host/core/consensus.ts';
import { toHex } from '../../host/wire/bytes.ts';
import type { Engine, EngineMaker } from './engine.ts';

export function blockText(block: OrderedBlock): string {
  const vertices = block.vertices.map((v) => `${toHex(v.id)}/${v.creator}${v.isVoid ? '!' : ''}`);
  const evidence = block.evidence.map((e) => `${e.creator}:${e.seq}:${toHex(e.effective)}:${toHex(e.void)}`);
  return [toHex(block.leader), block.leaderRound, block.timeMs, vertices.join(' '), evidence.join(' ')].join(
    '|',
  );
}

/** Takes every block that is final. */
export function drain(engine: Engine): string[] {
  const blocks: string[] = [];
  for (let block = engine.nextBlock(); block; block = engine.nextBlock()) blocks.push(blockText(block));
  return blocks;
}

/** Blocks of a fresh engine fed these vertices, taken whenever one is final if `isEager`. */
export function blocksOf(
  maker: EngineMaker,
  config: EpochConfig,
  vertices: readonly DagVertex[],
  isEager = false,
): string[] {
  const engine = maker.create(config);
  const blocks: string[] = [];
  for (const vertex of vertices) {
    const [result] = engine.insert([vertex]);
    if (result !== 'inserted') throw new Error(`${result} while feeding`);
    if (isEager) blocks.push(...drain(engine));
  }
  blocks.push(...drain(engine));
  return blocks;
}

/** Round, witness, order and effect of each vertex, leaders and slots of all rounds, and how timely each seat was. */
export function explainAll(engine: Engine, vertices: readonly DagVertex[]): string[] {
  const lines = vertices.map((vertex) => `${toHex(vertex.id)} ${JSON.stringify(engine.explain(vertex.id))}`);
  for (let round = 1; round <= engine.maxRound(); round++) {
    const slots = engine
      .leadersOf(round)
      .map((leader, place) => `${leader} ${engine.slotStatus(round, place)}`);
    lines.push(`round ${round}: leaders ${slots}, quorum ${engine.quorumWitnesses(round)}`);
  }
  return [...lines, `timely ${engine.timely()}`];
}

/** Index of the first difference where one list is no prefix of the other, or -1. */
export function conflict(a: readonly string[], b: readonly string[]): number {
  const common = Math.min(a.length, b.length);
  for (let i = 0; i < common; i++) if (a[i] !== b[i]) return i;
  return -1;
}
