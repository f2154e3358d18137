// The signature of a webhook (protocol 10): HMAC-SHA256 over the time of the attempt, a dot, and the raw body.

import { createHmac } from 'node:crypto';

/** Value of X-Service-Signature. `tSecs`: Unix time of this attempt. */
export function signatureOf(secret: string | Uint8Array, tSecs: number, body: string): string {
  const mac = createHmac('sha256', secret).update(`${tSecs}.${body}`).digest('hex');
  return `t=${tSecs},v1=${mac}`;
}
