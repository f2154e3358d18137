import { expect, it } from 'vitest';
import { MUTANTS, root } from '../../../tools/histories/mutants.ts';
import { changedText } from '../../../tools/mutants/changed-text.ts';

// `npm run histories -- --mutants` ends when a place is gone: it is not part of npm test, this is.
it.each(MUTANTS.map((mutant) => [mutant.name, mutant] as const))('%s: the place is there', (_, mutant) => {
  expect(changedText(root(), mutant)).toContain(mutant.to);
});
