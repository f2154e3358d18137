// The client's public face.

export { type Query, VwsClient, type VwsClientOptions } from './client.ts';
export { type ClientEnvironment, systemEnvironment } from './environment.ts';
export type * from './objects.ts';
export { openResult, sealResult } from './sealed.ts';
export type { SignedRequest } from './signed-request.ts';
export { type Signer, signerFromSeed } from './signer.ts';
export type { Reply } from './transport.ts';
export { type ClientCode, VwsError } from './vws-error.ts';
