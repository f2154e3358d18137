// The core through its ABI: a transfer settled, rejected and expired, with the figures of DECISIONS 6.
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import * as abi from '../../assembly/abi.ts';
import {
  Core,
  DEFAULT_PARAMS,
  decodeSettlement,
  decodeSlash,
  type EventOutcome,
  hex,
  type Outcome,
  SMALL,
  type TxOutcome,
} from './driver.ts';
import * as records from './records.ts';

const sha = (text: string): Uint8Array => new Uint8Array(createHash('sha256').update(text).digest());
const key = (name: string): Uint8Array => sha(`key ${name}`);
const TOKEN = 1_000_000n;

test('a transfer is settled by its validator', () => {
  const core = new Core({
    testnet: true,
    chainId: 'vws-testnet-1',
    launchSecs: 1_800_000_000,
    params: DEFAULT_PARAMS,
    capacities: SMALL,
  });
  core.apply(
    records.genesisSeat({
      seat: 0,
      status: abi.VALIDATOR_ACTIVE,
      operator: key('op'),
      stake: 25_000n * TOKEN,
      baselineBp: 5000,
      id: 'v1',
      categories: [],
    }),
    records.genesisEnd(),
  );
  let n = 0;
  const head = (who: string) => ({ auth: abi.AUTH_TX_V1, txid: sha(`tx ${n++}`), actor: key(who) });
  const t = head('a');
  const out = core.apply(
    records.block(1_800_000_001_000, 1, sha('block')),
    records.vertex(1, 0, 4),
    records.register(head('a'), key('a'), 1000n * TOKEN, hex(key('a'))),
    records.register(head('b'), key('b'), 0n, hex(key('b'))),
    records.transfer(t, key('b'), 12_345_678n),
    records.verify(head('op'), t.txid, true),
    records.blockEnd(),
  );
  console.log(
    out.map((o) =>
      o.kind === 'event' ? { ...o, s: o.type === 2 ? decodeSettlement(o) : null, fields: 0 } : o,
    ),
  );
  expect(core.fullSupply()).toBe(10n ** 15n);
});
