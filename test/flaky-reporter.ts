// Names the tests that passed only when they were tried again, so that a second try hides nothing.

import type { Reporter, TestCase } from 'vitest/node';

export default class FlakyReporter implements Reporter {
  readonly #flaky: TestCase[] = [];

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky) this.#flaky.push(test);
  }

  onTestRunEnd(): void {
    for (const test of this.#flaky) {
      const errors = test.result().errors?.map((error) => error.message) ?? [];
      console.log(`FLAKY: ${test.module.relativeModuleId}: ${test.fullName}: ${errors.join('; ')}`);
    }
  }
}
