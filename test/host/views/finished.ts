// All steps of a build at once.

/** Runs a generator to its end; returns what it returns. */
export function finished<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value as T;
  }
}
