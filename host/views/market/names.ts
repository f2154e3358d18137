// Small numbers for texts: each text that is in use has one, and a number that is free again is given out anew.

/** From this size on a piece of a text is no copy: it would keep the whole text. */
const MIN_SLICE = 13;

function detached(text: string): string {
  if (text.length < MIN_SLICE) return text;
  const copy = Buffer.from(text).toString();
  // Halves of a surrogate pair have no bytes.
  return copy === text ? copy : text;
}

export class Names {
  readonly #numbers = new Map<string, number>();
  readonly #texts: (string | undefined)[] = [];
  readonly #free: number[] = [];

  get size(): number {
    return this.#numbers.size;
  }

  /** All numbers in use are below this. */
  get end(): number {
    return this.#texts.length;
  }

  find(text: string): number | undefined {
    return this.#numbers.get(text);
  }

  text(number: number): string {
    return this.#texts[number]!;
  }

  /** The number of a text, a new one when it has none. */
  intern(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#free.pop() ?? this.#texts.length;
    const own = detached(text);
    this.#texts[number] = own;
    this.#numbers.set(own, number);
    return number;
  }

  release(number: number): void {
    this.#numbers.delete(this.#texts[number]!);
    this.#texts[number] = undefined;
    this.#free.push(number);
  }
}
