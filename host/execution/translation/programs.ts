// The command that publishes a program (protocol 14.8): every node admits the module alike, or refuses it.

import * as abi from '../../../assembly/abi.ts';
import { command } from '../../core/commands.ts';
import { invalid, ServiceError } from '../../errors.ts';
import { admitProgram } from '../../programs/admit.ts';
import { ProgramFault } from '../../programs/fault.ts';
import { fromBase64 } from '../../wire/base64.ts';
import { sha256Hex } from '../../wire/hash.ts';
import type { PROGRAM_OPERATIONS } from '../../wire/operations/programs.ts';
import type { Translators } from './types.ts';

/** The module of a request. Errors: invalid_request that says what protocol 14.3 and 14.4 do not allow. */
export function moduleOf(text: string): Uint8Array<ArrayBuffer> {
  const module = fromBase64(text);
  if (!module) throw invalid('module is not base64');
  return module;
}

function admit(module: Uint8Array): void {
  try {
    admitProgram(module);
  } catch (error) {
    if (!(error instanceof ProgramFault)) throw error;
    throw invalid(`module is no program: ${error.message}`);
  }
}

export const PROGRAM_TRANSLATORS: Translators<keyof typeof PROGRAM_OPERATIONS> = {
  programPublish({ args }, { head, ids, isProbe }) {
    const { bytes } = command(abi.OP_PROGRAM_PUBLISH, head, 0);
    if (isProbe) return bytes;
    const module = moduleOf(args.module);
    const hash = sha256Hex(module);
    if (ids.tasks.program(hash)) throw new ServiceError('program_exists', { details: { hash } });
    admit(module);
    return bytes;
  },
};
