// Reads the configuration file that a command of a node is given by --config or SERVICE_CONFIG.

import { readFileSync } from 'node:fs';
import { ConfigError, configFilePath, type Environment, type Flags } from '../config/config.ts';
import { type FileSettings, parseConfigFile } from '../config/config-file.ts';
import { FILE_USES } from '../config/settings.ts';
import type { Command } from './command.ts';
import { reasonOf } from './fault-text.ts';

/** The settings of the file; undefined without one. Errors: ConfigError. */
export function readConfigFile(command: Command, flags: Flags, env: Environment): FileSettings | undefined {
  if (command.settings === undefined || !FILE_USES.includes(command.settings)) return undefined;
  const path = configFilePath({ flags, env, use: command.settings });
  if (path === undefined) return undefined;
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new ConfigError(`configuration file ${path} cannot be read: ${reasonOf(cause)}`);
  }
  return parseConfigFile(text, path);
}
