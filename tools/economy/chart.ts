// Gains of each kind of validator over the run, as an SVG picture.

import type { Books } from './books.ts';
import { CHARACTERS } from './cast.ts';

const WIDTH = 860;
const HEIGHT = 420;
const LEFT = 90;
const RIGHT = 130;
const TOP = 40;
const BOTTOM = 50;
const TOKEN = 1_000_000;
const LABEL_HEIGHT = 15;

interface Scale {
  x(day: number): number;
  y(gain: number): number;
  min: number;
  max: number;
  step: number;
}

/** Gain of one validator of a kind, in tokens. */
function gainEach(books: Books, name: string, gains: ReadonlyMap<string, number>): number {
  const count = [...books.accounts.values()].filter(({ judge }) => judge.character.name === name).length;
  return (gains.get(name) ?? 0) / Math.max(1, count) / TOKEN;
}

/** A round number that divides a span into four to ten parts. */
function roundStep(span: number): number {
  const power = 10 ** Math.floor(Math.log10(span));
  return [0.1, 0.2, 0.5, 1].map((part) => part * power).find((step) => span / step <= 10)!;
}

function scaleOf(books: Books): Scale {
  const all = books.samples.flatMap(({ gains }) =>
    CHARACTERS.map(({ name }) => gainEach(books, name, gains)),
  );
  const step = roundStep(Math.max(...all, 1) - Math.min(...all, 0));
  const min = Math.floor(Math.min(...all, 0) / step) * step;
  const max = Math.ceil(Math.max(...all, 0) / step) * step;
  const lastDay = books.samples.at(-1)!.day;
  return {
    min,
    max,
    step,
    x: (day) => LEFT + (day / lastDay) * (WIDTH - LEFT - RIGHT),
    y: (gain) => TOP + ((max - gain) / (max - min)) * (HEIGHT - TOP - BOTTOM),
  };
}

const text = (x: number, y: number, anchor: string, words: string, extra = ''): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}"${extra}>${words}</text>`;

function grid(scale: Scale, lastDay: number): string[] {
  const out: string[] = [];
  for (let gain = scale.min; gain <= scale.max; gain += scale.step) {
    const y = scale.y(gain);
    out.push(
      `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y.toFixed(1)}" y2="${y.toFixed(1)}" stroke="#ddd"/>`,
    );
    out.push(text(LEFT - 8, y + 4, 'end', Math.round(gain).toLocaleString('en')));
  }
  const zero = scale.y(0).toFixed(1);
  out.push(`<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${zero}" y2="${zero}" stroke="#888"/>`);
  for (let day = 0; day <= lastDay; day += 50)
    out.push(text(scale.x(day), HEIGHT - BOTTOM + 20, 'middle', `${day}`));
  return out;
}

/** Names beside the ends of their curves, moved apart where they would overlap. */
function labels(books: Books, scale: Scale): string[] {
  const { gains } = books.samples.at(-1)!;
  const ends = CHARACTERS.map(({ name, colour }) => ({
    name,
    colour,
    y: scale.y(gainEach(books, name, gains)),
  }));
  ends.sort((a, b) => a.y - b.y);
  let free = Number.NEGATIVE_INFINITY;
  return ends.map(({ name, colour, y }) => {
    free = Math.max(free + LABEL_HEIGHT, y);
    return text(WIDTH - RIGHT + 8, free + 4, 'start', name, ` fill="${colour}"`);
  });
}

/** A standalone SVG document, light background, 860 by 420. */
export function drawChart(books: Books): string {
  const scale = scaleOf(books);
  const lastDay = books.samples.at(-1)!.day;
  const curves = CHARACTERS.map(({ name, colour }) => {
    const points = books.samples.map(({ day, gains }) => {
      const gain = gainEach(books, name, gains);
      return `${scale.x(day).toFixed(1)},${scale.y(gain).toFixed(1)}`;
    });
    return `<polyline fill="none" stroke="${colour}" stroke-width="2" points="${points.join(' ')}"/>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    text(LEFT, 22, 'start', 'Gain of one validator, tokens, by kind', ' font-size="15"'),
    ...grid(scale, lastDay),
    text(LEFT + (WIDTH - LEFT - RIGHT) / 2, HEIGHT - 10, 'middle', 'day'),
    ...curves,
    ...labels(books, scale),
    '</svg>',
    '',
  ].join('\n');
}
