// A part that is looked for in many texts: as long as a text is, so long it takes (Knuth, Morris, Pratt).
// Both the texts and the part are strangers': compared place by place, "aaaa...b" would cost each character of a text as much as
// the part is long.

export class Needle {
  readonly #codes: ArrayLike<number>;
  /** By number of codes: how many of the first ones are also their last ones, less than all. */
  readonly #borders: Uint32Array;

  constructor(codes: ArrayLike<number>) {
    this.#codes = codes;
    this.#borders = new Uint32Array(codes.length + 1);
    for (let i = 1; i < codes.length; i++) this.#borders[i + 1] = this.#longest(this.#borders[i]!, codes[i]!);
  }

  static ofText(text: string): Needle {
    return new Needle(Uint16Array.from({ length: text.length }, (_, i) => text.charCodeAt(i)));
  }

  get length(): number {
    return this.#codes.length;
  }

  /** How many of its first codes the codes of a text end with that go on with another one, of which they ended with `matched`. */
  after(matched: number, code: number): number {
    return this.#longest(matched === this.length ? this.#borders[matched]! : matched, code);
  }

  #longest(matched: number, code: number): number {
    let some = matched;
    while (some > 0 && this.#codes[some] !== code) some = this.#borders[some]!;
    return this.#codes[some] === code ? some + 1 : 0;
  }
}
