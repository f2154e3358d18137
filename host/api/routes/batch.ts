// The door for those who have many writes (protocol 4.14).

import type { BatchRoute } from '../route.ts';

export const BATCHES: BatchRoute[] = [
  {
    method: 'POST',
    path: '/v1/batch',
    id: 'transactions_batch',
    summary: 'Many signed writes in one request',
    reply: 'Batch',
    maxRequests: 1_000,
    maxBodyBytes: 2_097_152,
  },
];
