import { describe, expect, it } from 'vitest';
import { loadCommand, loadCommands } from '../../../host/cli/command-table.ts';
import { EXIT } from '../../../host/cli/exit-code.ts';
import { commandHelp, generalHelp } from '../../../host/cli/help-text.ts';
import { type SettingName, settingsOf } from '../../../host/config/settings.ts';

const GROUPS = await loadCommands();
const COMMANDS = GROUPS.flatMap((group) => group.commands);

describe('help', () => {
  it.each(COMMANDS.map((command) => [command.name, command] as const))(
    '%s names all its flags, variables and defaults',
    (_, command) => {
      const text = commandHelp(command);
      for (const option of command.options) expect(text).toContain(`--${option.name}`);
      for (const row of command.settings ? settingsOf(command.settings) : []) {
        if (row.flag) expect(text).toContain(`--${row.flag}`);
        if (row.env) expect(text).toContain(row.env);
        const shown = command.defaults?.[row.name as SettingName] ?? row.defaultNote ?? row.fallback;
        if (shown) expect(text.replace(/\s+/g, ' ')).toContain(`default ${shown}`);
      }
      expect(text).toContain('Examples:');
      for (const example of command.examples) expect(example).toContain(`vws ${command.name}`);
    },
  );

  it('shows the defaults of the command, not those of another one', async () => {
    const text = commandHelp((await loadCommand('try'))!);
    expect(text).toContain('default 127.0.0.1:8338');
    expect(text).not.toMatch(/0\.0\.0\.0|~\/\.vws/);
  });

  it('keeps to the page width', () => {
    const texts = [generalHelp(GROUPS), ...COMMANDS.map((command) => commandHelp(command))];
    for (const line of texts.join('\n').split('\n')) expect(line.length).toBeLessThanOrEqual(110);
  });

  it('lists each exit code and the units', () => {
    const text = generalHelp(GROUPS);
    for (const code of Object.values(EXIT)) expect(text).toMatch(new RegExp(`^  ${code} +\\w`, 'm'));
    expect(text).toContain('micro-units');
  });

  it('has unique command names', () => {
    expect(new Set(COMMANDS.map((command) => command.name)).size).toBe(COMMANDS.length);
  });

  it('finds each command by its name, and by no other', async () => {
    for (const command of COMMANDS) expect((await loadCommand(command.name))?.name).toBe(command.name);
    for (const name of ['', 'toString', 'Inspecting']) expect(await loadCommand(name)).toBeUndefined();
  });
});
