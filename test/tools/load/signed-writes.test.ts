import { expect, it } from 'vitest';
import { referenceVerifyMany } from '../../../host/crypto/reference-verify.ts';
import { fromHex, toHex, utf8 } from '../../../host/wire/bytes.ts';
import { sha256 } from '../../../host/wire/hash.ts';
import { parseBody } from '../../../host/wire/json.ts';
import { readTxV1, signatureBytes, txSignBytes } from '../../../host/wire/tx.ts';
import { cpuMs, threadTimes } from '../../../tools/load/cpu-time.ts';
import { newSigner, signedWrite } from '../../../tools/load/signed-writes.ts';

it('a signed write is a complete request with a valid signature and the TxID of its sign bytes', async () => {
  const signer = newSigner();
  const write = await signedWrite(signer, 'vws-testnet-1', '/v1/stake', { amount: 5 });
  const [head, body] = write.bytes.toString().split('\r\n\r\n') as [string, string];
  expect(head.split('\r\n')[0]).toBe('POST /v1/stake HTTP/1.1');
  const headers = new Map(
    head.split('\r\n').map((line) => [line.split(': ')[0]!.toLowerCase(), line.split(': ')[1]]),
  );
  expect(Number(headers.get('content-length'))).toBe(body.length);
  const now = Number(headers.get('x-service-created'));
  const tx = readTxV1((name) => headers.get(name), 'vws-testnet-1', now);
  const message = txSignBytes(tx, 'POST', '/v1/stake', parseBody(utf8(body)).sha256);
  const publicKey = fromHex(tx.actor)!;
  expect(toHex(publicKey)).toBe(signer.publicKeyHex);
  expect(referenceVerifyMany([{ publicKey, message, signature: signatureBytes(tx.signature)! }])[0]).toBe(1);
  expect(write.txid).toBe(toHex(sha256(message)));
});

it('the processor time of this process grows, and its main thread has a part of it; that of a missing process is unknown', () => {
  for (const timeOf of [cpuMs, threadTimes]) expect(timeOf(2 ** 30)).toBeUndefined();
  const before = cpuMs(process.pid);
  if (before === undefined) return;
  const end = performance.now() + 60;
  while (performance.now() < end);
  expect(cpuMs(process.pid)).toBeGreaterThan(before);
  const { all, main, engine } = threadTimes(process.pid)!;
  expect(main).toBeGreaterThan(0);
  expect(all).toBeGreaterThanOrEqual(main + engine);
});
