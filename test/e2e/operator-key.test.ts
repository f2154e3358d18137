// A seat whose operator's key is not the node's, as after a rotation of a key that was both: the node signs its verdicts with the
// file that SERVICE_OPERATOR_KEY names, and the command line takes the same file.

import { writeFile } from 'node:fs/promises';
import { afterAll, expect, it } from 'vitest';
import { generateSeed } from '../../host/crypto/key-pair.ts';
import { createNodeKeyFile, nodeKeyPath } from '../../host/crypto/node-key-file.ts';
import { PASSPHRASE } from '../../tools/load/node-process.ts';
import { Agent, get, TOKEN, until } from './agent.ts';
import { Testbed } from './testbed.ts';

const bed = new Testbed();
afterAll(() => bed.close());

/** A seat of its own network, and the old data directory, whose key is still the operator's. */
async function rotated() {
  const { dataDir, operator: node } = await bed.network();
  const oldDir = await bed.directory();
  const operator = createNodeKeyFile(oldDir, 'another one', {}, generateSeed());
  const manifest = `${dataDir}.manifest.json`;
  const entry = {
    validator_id: 'v1',
    operator_agent_id: operator.publicKeyHex,
    consensus_public_key: node.publicKeyHex,
    key_epoch: 1,
    bonded_stake: 25_000 * TOKEN,
    initial_status: 'active',
  };
  await writeFile(manifest, JSON.stringify({ entries: [entry] }));
  const passphraseFile = `${dataDir}.old.pass`;
  await writeFile(passphraseFile, 'another one\n');
  return { dataDir, manifest, operator, oldKey: nodeKeyPath(oldDir), passphraseFile };
}

it('signs verdicts with the key file of the operator, and says which one is missing without it', async () => {
  const { dataDir, manifest, operator, oldKey, passphraseFile } = await rotated();
  const env = { SERVICE_VALIDATOR_MANIFEST: manifest, SERVICE_AUTOVALIDATOR: 'true' };
  const without = await bed.refusal({ dataDir, env });
  expect([without.code, without.log]).toEqual([2, expect.stringContaining(operator.publicKeyHex)]);
  expect(without.log).toContain('SERVICE_OPERATOR_KEY');
  const other = await bed.refusal({
    dataDir,
    env: {
      ...env,
      SERVICE_OPERATOR_KEY: nodeKeyPath(dataDir),
      SERVICE_OPERATOR_PASSPHRASE_FILE: await passOf(),
    },
  });
  expect([other.code, other.log]).toEqual([2, expect.stringContaining('the operator of this seat is')]);
  const wrong = await bed.refusal({ dataDir, env: { ...env, SERVICE_OPERATOR_KEY: oldKey } });
  expect([wrong.code, wrong.log]).toEqual([3, expect.stringContaining('passphrase')]);

  const { port } = await bed.start({
    dataDir,
    env: { ...env, SERVICE_OPERATOR_KEY: oldKey, SERVICE_OPERATOR_PASSPHRASE_FILE: passphraseFile },
  });
  const [payer, payee] = [await new Agent(port).register(), await new Agent(port).register()];
  await payer.do('/v1/stake', { amount: 100 * TOKEN });
  const { event_id } = await payer.do('/v1/transfer', { to_agent: payee.id, amount: TOKEN });
  const settled = await until(
    async () => (await get(port, `/v1/events/${event_id}`)).body,
    (event) => event.settlement_state !== 'optimistic',
  );
  expect(settled).toMatchObject({ settlement_reason: 'verified', voters: [{ validator_id: 'v1' }] });
});

async function passOf(): Promise<string> {
  const path = `${await bed.directory()}.pass`;
  await writeFile(path, PASSPHRASE);
  return path;
}
