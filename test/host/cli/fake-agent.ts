// What a command of an agent needs: a fake node, and a key file.

import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createClientKeyFile } from '../../../host/crypto/client-key-file.ts';
import { FakeNode } from '../client/fake-node.ts';
import { scratch } from './harness.ts';

/** For one test: the node is stopped, and the file is removed, when it ends. */
export async function fakeAgent(): Promise<{ node: FakeNode; keyPath: string; ownKey: string }> {
  const node = await FakeNode.start();
  onTestFinished(() => node.stop());
  const keyPath = join(scratch(), 'agent.key');
  return { node, keyPath, ownKey: createClientKeyFile(keyPath).publicKeyHex };
}
