import { createInlineVerifier } from '../../../host/crypto/inline.ts';
import { createVerifierPool } from '../../../host/crypto/pool.ts';
import { verifierContract } from './verifier.contract.ts';

verifierContract('inline', () => createInlineVerifier());
verifierContract('pool of 1', () => createVerifierPool({ threads: 1 }));
verifierContract('pool of 2', () => createVerifierPool({ threads: 2 }));
