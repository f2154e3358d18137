// Which versions of Node.js a node runs on, and which of those still get repairs: one rule for start and doctor.

/** The oldest that a node starts on. */
const OLDEST = [20, 19] as const;
/** The oldest release line that is maintained. */
const MAINTAINED = 22;

/** `bad`: a node would not start; `care`: it runs, and should not for long. */
export function judgeRuntime(version: string): { state: 'good' | 'care' | 'bad'; text: string } {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]))
    return { state: 'bad', text: `Node.js ${version} is too old: install 22 or 24` };
  if (major < MAINTAINED)
    return {
      state: 'care',
      text: `Node.js ${version} is out of support, version 20 since April 2026: install 22 or 24`,
    };
  return { state: 'good', text: version };
}
