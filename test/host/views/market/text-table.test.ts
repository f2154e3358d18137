import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hashOf, TextTable } from '../../../../host/views/market/text-table.ts';

it('numbers texts in order, finds them and gives them back', () => {
  // Lone halves of surrogate pairs too.
  const text = fc.oneof(fc.string({ maxLength: 6 }), fc.string({ unit: 'binary', maxLength: 200 }));
  const all = [fc.array(text, { maxLength: 300 }), fc.string({ maxLength: 3 }), fc.nat()] as const;
  fc.assert(
    fc.property(...all, (texts, other, seed) => {
      const table = new TextTable(seed);
      const model = new Map<string, number>();
      for (const some of texts) {
        if (!model.has(some)) model.set(some, model.size);
        expect(table.intern(some)).toBe(model.get(some));
      }
      expect(table.size).toBe(model.size);
      for (const [some, number] of model)
        expect([table.find(some), table.text(number)]).toEqual([number, some]);
      expect(table.find(other)).toBe(model.get(other));
    }),
  );
});

it('tells apart halves of surrogate pairs, and characters of one and of two bytes', () => {
  const table = new TextTable();
  const texts = ['\ud83d', '\ude00', '\ud83d\ude00', 'a', '\u0161', '\u0061\u0100', ''];
  expect(texts.map((text) => table.intern(text))).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(texts.map((_, number) => table.text(number))).toEqual(texts);
});

it('takes a text that is longer than a page', () => {
  const table = new TextTable();
  const long = 'š'.repeat(400_000);
  expect([table.intern('a'), table.intern(long), table.intern('b')]).toEqual([0, 1, 2]);
  expect(table.text(1) === long && table.find(long) === 1 && table.text(2) === 'b').toBe(true);
});

it('texts that were chosen for one slot with one seed are in as many as any with another', () => {
  const mask = 0xfff;
  const chosen: string[] = [];
  for (let i = 0; chosen.length < 500; i++) {
    const text = ` ${i.toString(36)} `;
    if ((hashOf(text, 0) & mask) === 7) chosen.push(text);
  }
  for (const seed of [1, 2, 3, 0x1234_5678, 0xffff_fffe]) {
    const slots = new Set(chosen.map((text) => hashOf(text, seed) & mask));
    // 500 of 4096 at random: about 470.
    expect(slots.size).toBeGreaterThan(430);
  }
});
