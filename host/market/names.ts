// Small numbers for texts: each text that is in use has one, and a number that is free again is given out anew.

export class Names {
  readonly #numbers = new Map<string, number>();
  readonly #texts: (string | undefined)[] = [];
  readonly #free: number[] = [];

  get size(): number {
    return this.#numbers.size;
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
    this.#texts[number] = text;
    this.#numbers.set(text, number);
    return number;
  }

  release(number: number): void {
    this.#numbers.delete(this.#texts[number]!);
    this.#texts[number] = undefined;
    this.#free.push(number);
  }
}
