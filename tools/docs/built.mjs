// The tables of the program that the documents describe, from the build.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const FILES = [
  'api/objects',
  'api/object-schema',
  'api/rate-table',
  'api/routes',
  'cli/command-table',
  'config/settings',
  'errors',
  'metrics',
  'net/messages',
  'store/event-types',
  'store/prefixes',
  'wire/operations',
  'wire/params',
];

/** Commands with their flags; one of several verbs (`challenge open`) has a name for each. */
function readCommands(groups, settings) {
  return groups
    .flatMap((group) => group.commands)
    .map((command) => {
      const verbs = command.words?.includes('|') ? command.words.split('|') : [];
      const used = settings.filter((row) => row.flag !== undefined && row.uses.includes(command.settings));
      return {
        name: command.name,
        verbs,
        names: verbs.length > 0 ? verbs.map((verb) => `${command.name} ${verb}`) : [command.name],
        options: command.options.map((option) => option.name),
        settings: used.map((row) => row.flag),
        isClient: command.settings === 'client',
      };
    });
}

export async function readBuilt(root) {
  const built = {};
  for (const file of FILES)
    Object.assign(built, await import(pathToFileURL(join(root, 'build/host', `${file}.js`)).href));
  return { ...built, commands: readCommands(await built.loadCommands(), built.SETTINGS) };
}
