// The event streams of a node and of a reader, from some seq on, with and without a filter: their frames must be equal.

import { WebSocket } from 'ws';
import type { SeededRandom } from '../load/seeded-random.ts';

/** Frames of a stream up to one seq. Errors: a stream that ends before. */
function frames(base: string, query: string, to: number): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const found: string[] = [];
    const socket = new WebSocket(`${base.replace(/^http/, 'ws')}/v1/ws?${query}`);
    socket.on('error', reject);
    socket.on('close', (code) => reject(new Error(`the stream ${query} of ${base} ended with ${code}`)));
    socket.on('message', (data) => {
      const text = String(data);
      found.push(text);
      if ((JSON.parse(text) as { seq: number }).seq < to) return;
      socket.removeAllListeners('close');
      socket.terminate();
      resolve(found);
    });
  });
}

export interface SameStreams {
  streams: number;
  frames: number;
  faults: string[];
}

/** Compares so many streams. `types`: of the events that there are; `last`: the newest of them by type. */
export async function compareStreams(
  node: string,
  reader: string,
  { count, random, last }: { count: number; random: SeededRandom; last: ReadonlyMap<string, number> },
): Promise<SameStreams> {
  const result: SameStreams = { streams: 0, frames: 0, faults: [] };
  const types = [...last.keys()];
  for (let i = 0; i < count; i++) {
    const wanted = i === 0 ? [] : types.filter(() => random.below(4) === 0);
    const to = Math.max(...(wanted.length === 0 ? types : wanted).map((type) => last.get(type)!));
    const since = i === 0 ? 0 : random.below(to);
    const query = `since=${since}${wanted.length === 0 ? '' : `&filter=${wanted.join(',')}`}`;
    const [said, read] = await Promise.all([frames(node, query, to), frames(reader, query, to)]);
    const at = said.findIndex((text, n) => text !== read[n]);
    result.streams += 1;
    result.frames += said.length;
    if (at >= 0 || said.length !== read.length)
      result.faults.push(`/v1/ws?${query}\n  node   ${said[at]}\n  reader ${read[at]}`);
  }
  return result;
}
