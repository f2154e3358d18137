// The answer to the publication of a program: its document (protocol 3.12).

import { moduleOf } from '../../execution/translation/programs.ts';
import { sha256Hex } from '../../wire/hash.ts';
import type { PROGRAM_OPERATIONS } from '../../wire/operations/programs.ts';
import { programObject } from '../tasks/program-view.ts';
import type { Answers } from './types.ts';

export const PROGRAM_ANSWERS: Answers<keyof typeof PROGRAM_OPERATIONS> = {
  programPublish: ({ parsed, c }) => programObject(c.store, sha256Hex(moduleOf(parsed.args.module)))!,
};
