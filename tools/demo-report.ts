// The output of the demo: numbered steps, aligned figures, and a fault as soon as a figure is off.
// Keeps: every figure printed as checked was compared exactly, to the micro-unit.

const LABEL_WIDTH = 34;
const FIGURE_WIDTH = 24;

/** A figure that differs from the rules; ends the demo with exit code 1. */
export class DemoFault extends Error {
  override name = 'DemoFault';
}

export class Report {
  private steps = 0;
  private checks = 0;

  constructor(private readonly print: (line: string) => void) {}

  step(title: string): void {
    this.steps += 1;
    this.print('');
    this.print(`${this.steps}. ${title}`);
  }

  say(text: string): void {
    this.print(`   ${text}`);
  }

  /** A figure in micro-units, shown in tokens; `note` says where it comes from. */
  figure(label: string, micro: number, note = ''): void {
    this.print(`   ${label.padEnd(LABEL_WIDTH)}${tokens(micro).padStart(FIGURE_WIDTH)}  ${note}`.trimEnd());
  }

  rule(): void {
    this.print(`   ${' '.repeat(LABEL_WIDTH)}${'-'.repeat(FIGURE_WIDTH)}`);
  }

  /** Prints a figure that must be exactly `wantedMicro`. Errors: DemoFault. */
  checked(label: string, actualMicro: number, wantedMicro: number, note = ''): void {
    if (actualMicro !== wantedMicro) {
      throw new DemoFault(
        `${label}: the node reports ${actualMicro} micro-units, the rules give ${wantedMicro}` +
          ` (off by ${actualMicro - wantedMicro})`,
      );
    }
    this.checks += 1;
    this.figure(label, actualMicro, note);
  }

  /** Checks anything else, without printing a line. Errors: DemoFault. */
  expect<T>(what: string, actual: T, wanted: T): void {
    if (actual !== wanted) throw new DemoFault(`${what}: got ${String(actual)}, expected ${String(wanted)}`);
    this.checks += 1;
  }

  get checkCount(): number {
    return this.checks;
  }
}

/** Micro-units as tokens to the last digit: 12345678 -> `12.345678`; with sign, thousands grouped. */
export function tokens(micro: number): string {
  const digits = Math.abs(micro).toString().padStart(7, '0');
  const whole = digits.slice(0, -6).replace(/\B(?=(\d{3})+$)/g, ',');
  return `${micro < 0 ? '-' : ''}${whole}.${digits.slice(-6)}`;
}
