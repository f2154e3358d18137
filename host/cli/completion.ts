// Completion scripts for shells, from the table of commands.
// Keeps: a script contains names only, no text of help in the bash one, and nothing that a shell would expand.

import { settingsOf } from '../config/settings.ts';
import type { Command, CommandGroup } from './command.ts';

interface Flag {
  name: string;
  help: string;
  /** A file is what usually follows. */
  takesPath: boolean;
  takesValue: boolean;
}

interface Entry {
  name: string;
  summary: string;
  verbs: readonly string[];
  flags: readonly Flag[];
}

/** Commands as a shell needs them. */
function entriesOf(groups: readonly CommandGroup[]): Entry[] {
  const names = groups.flatMap((group) => group.commands.map((command) => command.name));
  return groups.flatMap((group) => group.commands.map((command) => entryOf(command, names)));
}

function entryOf(command: Command, names: readonly string[]): Entry {
  const own = command.options.map(({ name, value, help }) => ({
    name,
    help,
    takesPath: value === 'path',
    takesValue: value !== undefined,
  }));
  const rows = command.settings === undefined ? [] : settingsOf(command.settings);
  const settings = rows.flatMap(({ flag, help, kind }) =>
    flag === undefined
      ? []
      : [{ name: flag, help, takesPath: kind === 'path', takesValue: kind !== 'switch' }],
  );
  const flags = [...own, ...settings, { name: 'help', help: 'help', takesPath: false, takesValue: false }];
  const isChoice = command.words?.includes('|') === true;
  const verbs = command.words === 'command' ? names : isChoice ? command.words!.split('|') : [];
  return { name: command.name, summary: command.summary, verbs, flags };
}

const dashed = (flags: readonly Flag[]): string => flags.map(({ name }) => `--${name}`).join(' ');
/** In single quotes for any of the shells, without a quote inside. */
const quoted = (text: string): string => `'${text.replace(/['\\]/g, '')}'`;

function bash(groups: readonly CommandGroup[]): string {
  const entries = entriesOf(groups);
  const paths = new Set(entries.flatMap(({ flags }) => flags.filter((f) => f.takesPath).map((f) => f.name)));
  const cases = entries.map(
    ({ name, verbs, flags }) => `    ${name}) verbs='${verbs.join(' ')}'; flags='${dashed(flags)}' ;;`,
  );
  return [
    '# bash completion of vws',
    '_vws() {',
    '  local word=$2 before=$3 verbs= flags=',
    '  COMPREPLY=()',
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    COMPREPLY=($(compgen -W '${entries.map(({ name }) => name).join(' ')}' -- "$word"))`,
    '    return',
    '  fi',
    '  case "$before" in',
    `    ${[...paths].map((name) => `--${name}`).join('|')}) COMPREPLY=($(compgen -f -- "$word")); return ;;`,
    '  esac',
    `  case "\${COMP_WORDS[1]}" in`,
    ...cases,
    '  esac',
    `  if [ "$COMP_CWORD" -eq 2 ] && [ -n "$verbs" ] && [ "\${word#-}" = "$word" ]; then`,
    '    COMPREPLY=($(compgen -W "$verbs" -- "$word"))',
    '  else',
    '    COMPREPLY=($(compgen -W "$flags" -- "$word"))',
    '  fi',
    '}',
    'complete -o default -F _vws vws',
  ].join('\n');
}

function zsh(groups: readonly CommandGroup[]): string {
  const entries = entriesOf(groups);
  /** `[` and `:` have a meaning in what _arguments and _describe read. */
  const text = (help: string): string => help.replace(/[[\]:'\\]/g, ' ');
  const specOf = ({ name, help, takesPath, takesValue }: Flag): string =>
    `'*--${name}[${text(help)}]${takesPath ? ':path:_files' : takesValue ? ':value:' : ''}'`;
  const cases = entries.map(({ name, verbs, flags }) => {
    const word = verbs.length === 0 ? "'*:file:_files'" : `'1:verb:(${verbs.join(' ')})'`;
    return `    ${name}) _arguments ${word} ${flags.map(specOf).join(' ')} ;;`;
  });
  return [
    '#compdef vws',
    '_vws() {',
    '  local -a commands',
    `  commands=(${entries.map(({ name, summary }) => `'${name}:${text(summary)}'`).join(' ')})`,
    '  if (( CURRENT == 2 )); then _describe command commands; return; fi',
    '  local name=$words[2]',
    '  shift words',
    '  (( CURRENT-- ))',
    '  case $name in',
    ...cases,
    '  esac',
    '}',
    'if [ "$funcstack[1]" = "_vws" ]; then _vws "$@"; else compdef _vws vws; fi',
  ].join('\n');
}

function fish(groups: readonly CommandGroup[]): string {
  return [
    '# fish completion of vws',
    'complete -c vws -f',
    ...entriesOf(groups).flatMap(({ name, summary, verbs, flags }) => {
      const inside = `complete -c vws -n '__fish_seen_subcommand_from ${name}'`;
      return [
        `complete -c vws -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
        ...(verbs.length > 0 ? [`${inside} -a '${verbs.join(' ')}'`] : []),
        ...flags.map(
          ({ name: flag, help, takesPath, takesValue }) =>
            `${inside} -l ${flag}${takesPath ? ' -r -F' : takesValue ? ' -x' : ''} -d ${quoted(help)}`,
        ),
      ];
    }),
  ].join('\n');
}

/** The script of each shell, for a table of commands. */
export const COMPLETION_SCRIPTS: Readonly<Record<string, (groups: readonly CommandGroup[]) => string>> = {
  bash,
  zsh,
  fish,
};
