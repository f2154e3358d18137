// Interns texts: each text in use has a small number; released numbers are reused.

/** From this length on a substring in V8 refers to its whole parent string, which would stay in memory. */
const MIN_SLICE = 13;

function detached(text: string): string {
  if (text.length < MIN_SLICE) return text;
  const copy = Buffer.from(text).toString();
  // A lone half of a surrogate pair has no UTF-8 form.
  return copy === text ? copy : text;
}

export class Names {
  readonly #numbers = new Map<string, number>();
  readonly #texts: (string | undefined)[] = [];
  readonly #free: number[] = [];

  get size(): number {
    return this.#numbers.size;
  }

  /** All numbers are below this. */
  get end(): number {
    return this.#texts.length;
  }

  find(text: string): number | undefined {
    return this.#numbers.get(text);
  }

  text(number: number): string {
    return this.#texts[number]!;
  }

  /** The number of a text; a new text gets one. */
  intern(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#free.pop() ?? this.#texts.length;
    const copy = detached(text);
    this.#texts[number] = copy;
    this.#numbers.set(copy, number);
    return number;
  }

  release(number: number): void {
    this.#numbers.delete(this.#texts[number]!);
    this.#texts[number] = undefined;
    this.#free.push(number);
  }
}
