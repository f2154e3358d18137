// vws content: which delivered contents and texts a node does not show (protocol 12.12).

import { loadHeldSeatSettings } from '../../config/config.ts';
import { hiddenPath, hiddenText, readHidden } from '../../store/hidden-list.ts';
import { systemFiles } from '../../world/system/files.ts';
import { type Command, type CommandContext, isSwitchOn, optionText } from '../command.ts';
import { JSON_OPTION } from '../connection.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { printJson } from '../output.ts';
import { runVerb, type Verb } from '../verbs.ts';

/** What the second word is. */
const HASH = 'hash';

function hashOf(context: CommandContext): string {
  const hash = (optionText(context, HASH) ?? '').toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(hash))
    throw new UsageError(
      'name the content or text by its SHA-256: 64 hex characters; result_hash of the task for a delivery',
      'content',
    );
  return hash;
}

/** Writes the list anew; a running node reads it within two seconds. */
async function changed(
  context: CommandContext,
  change: (hidden: readonly string[], hash: string) => readonly string[],
): Promise<ExitCode> {
  const path = hiddenPath(loadHeldSeatSettings(context).dataDir);
  const hidden = change(readHidden(systemFiles, path), hashOf(context));
  await systemFiles.replace(path, hiddenText(hidden));
  context.io.out(`Hidden: ${hidden.length}`);
  return EXIT.DONE;
}

const VERBS: Readonly<Record<string, Verb>> = {
  hide: {
    takes: HASH,
    needs: [],
    run: (context) => changed(context, (hidden, hash) => [...hidden.filter((h) => h !== hash), hash]),
  },
  show: {
    takes: HASH,
    needs: [],
    run: (context) => changed(context, (hidden, hash) => hidden.filter((h) => h !== hash)),
  },
  list: {
    needs: [],
    async run(context) {
      const hidden = readHidden(systemFiles, hiddenPath(loadHeldSeatSettings(context).dataDir));
      if (isSwitchOn(context, 'json')) printJson(context.io, hidden);
      else for (const hash of hidden) context.io.out(hash);
      return EXIT.DONE;
    },
  },
};

export const content: Command = {
  name: 'content',
  summary: 'stop showing a delivery or a text at this node',
  about: `hide <hash> keeps the API of the node of this data directory from showing the delivery with that SHA-256
(result_hash of its task), within two seconds, running or not: 451 content_hidden. Of any other text, such
as a title or a description, the answers, stream and webhooks show that hash instead; it is what
printf %s "the text" | sha256sum prints. show <hash> takes that back; list prints what is hidden.
Hash, signatures, state and order stay, and other nodes show it as before. The vertices of the log contain it
still, since peers and auditors check them: where not even these may be served, keep /v1/log and /v1/proof
from the public.`,
  options: [{ ...JSON_OPTION, help: 'list: print an array' }],
  settings: 'resume-seat',
  words: Object.keys(VERBS).join('|'),
  maxWords: 2,
  examples: ['vws content hide 9f86d081... --data ./node1', 'vws content list --data ./node1'],
  run: (context) => runVerb('content', VERBS, context),
};
