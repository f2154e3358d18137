// Routes of the log as bytes, from which anybody can compute order and state without trusting the node.

import { MAX_PROVEN } from '../../wire/proof-kinds.ts';
import type { ReadContext } from '../context.ts';
import * as log from '../handlers/log.ts';
import * as proofs from '../handlers/proofs.ts';
import type { QueryParam, ReadRoute } from '../route.ts';
import { get, PAGE } from './get.ts';

const U32 = 2 ** 32 - 1;
const EPOCH: QueryParam = { kind: 'int', name: 'epoch', min: 0, max: U32, strict: true, default: 0 };
const from = (doc: string): QueryParam => ({
  kind: 'int',
  name: 'from',
  min: 0,
  max: U32,
  strict: true,
  default: 0,
  doc,
});

export const LOG_READS: ReadRoute<ReadContext>[] = [
  get('/v1/genesis', 'log_genesis', 'The document behind the genesis hash', 'Genesis', log.genesis),
  get('/v1/log/vertices', 'log_vertices', 'Whole vertices of an epoch, as bytes', 'bytes', log.logVertices, {
    query: [EPOCH, from('position in the epoch')],
    errors: ['not_found'],
  }),
  get(
    '/v1/checkpoints',
    'log_checkpoints',
    'Signed checkpoints, ascending',
    'SignedCheckpoint[]',
    log.checkpoints,
    {
      query: [
        { kind: 'int', name: 'after', min: 0, max: Number.MAX_SAFE_INTEGER, default: 0, doc: 'height' },
        PAGE,
      ],
    },
  ),
  get(
    '/v1/proof/{kind}/{id}',
    'log_proof',
    'Proof of a document under the state root, or that there is none',
    'DocumentProof',
    proofs.item,
    { errors: ['not_found', 'history_dropped', 'not_ready'] },
  ),
  get(
    '/v1/proof/{kind}',
    'log_proof_list',
    'Proof of a page of a list of documents: none of it is left out',
    'DocumentProof',
    proofs.list,
    {
      query: [
        { kind: 'text', name: 'after', doc: 'hex: an id, or what ids begin with, to go on behind' },
        { kind: 'int', name: 'limit', min: 1, max: MAX_PROVEN, default: MAX_PROVEN },
      ],
      errors: ['not_found', 'not_ready'],
    },
  ),
  get('/v1/log/seals', 'log_seals', 'Proofs of the seals of epochs, as bytes', 'bytes', log.seals, {
    query: [from('epoch')],
  }),
  get(
    '/v1/log/state',
    'log_state',
    'Rows of the state at the seal before an epoch, as bytes',
    'bytes',
    log.sealedState,
    {
      query: [
        EPOCH,
        {
          kind: 'text',
          name: 'after',
          required: true,
          doc: 'hex: the kind of rows, or the last key received',
        },
      ],
    },
  ),
];
