import { createInlineVerifier } from '../../../host/crypto/inline.ts';
import { createVerifierPool } from '../../../host/crypto/pool.ts';
import { systemWorld } from '../../../host/world/system/world.ts';
import { verifierContract } from './verifier.contract.ts';

const workerFile = systemWorld.program.path('host/crypto/worker.js');

verifierContract('inline', () => createInlineVerifier());
verifierContract('pool of 1', () => createVerifierPool({ threads: 1, workerFile, world: systemWorld }));
verifierContract('pool of 2', () => createVerifierPool({ threads: 2, workerFile, world: systemWorld }));
