// Whether a delivery is an image, and which: told from its bytes. It is never drawn: a picture that a stranger sends can show
// whoever looks anything, and readers of images have faults.

export interface Image {
  /** By its first bytes, whatever it calls itself. */
  format: string;
  bytes: Uint8Array;
  /** Pixels; undefined where its head does not say. */
  size: { width: number; height: number } | undefined;
}

type SizeOf = (view: DataView) => Image['size'];
const pair = (width: number, height: number): Image['size'] => ({ width, height });

/** Of the frame header of a JPEG, behind segments that are skipped by their lengths. */
function jpegSize(view: DataView): Image['size'] {
  for (
    let at = 2;
    at + 9 <= view.byteLength && view.getUint8(at) === 0xff;
    at += 2 + view.getUint16(at + 2)
  ) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return pair(view.getUint16(at + 7), view.getUint16(at + 5));
  }
  return undefined;
}

function webpSize(view: DataView): Image['size'] {
  if (view.byteLength < 30) return undefined;
  const kind = view.getUint8(15);
  // VP8 (lossy), VP8L (lossless), VP8X (extended): the fourth character tells.
  if (kind === 0x20) return pair(view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff);
  if (kind === 0x4c) {
    const bits = view.getUint32(21, true);
    return pair((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
  }
  const three = (at: number): number => view.getUint16(at, true) + (view.getUint8(at + 2) << 16) + 1;
  return kind === 0x58 ? pair(three(24), three(27)) : undefined;
}

interface Format {
  name: string;
  /** First bytes; `?` is any. */
  magic: string;
  sizeOf: SizeOf;
}

const FORMATS: readonly Format[] = [
  {
    name: 'PNG',
    magic: '\x89PNG\r\n\x1a\n',
    sizeOf: (v) => (v.byteLength < 24 ? undefined : pair(v.getUint32(16), v.getUint32(20))),
  },
  { name: 'JPEG', magic: '\xff\xd8\xff', sizeOf: jpegSize },
  {
    name: 'GIF',
    magic: 'GIF8',
    sizeOf: (v) => (v.byteLength < 10 ? undefined : pair(v.getUint16(6, true), v.getUint16(8, true))),
  },
  { name: 'WebP', magic: 'RIFF????WEBP', sizeOf: webpSize },
];

const SVG = /^\s*(?:<\?xml[^>]*>\s*)?<svg[\s>]/i;
const DATA_URI = /^data:image\/[\w.+-]{1,40}(?:;[\w=.-]{1,40})*;base64,/i;
/** Base64 of the first byte of each format: what does not begin so is no bare image. */
const BARE = /^(?:iVBORw0KGgo|\/9j\/|R0lGOD|UklGR)/;
/** Looked for by itself: one pattern for the whole of a long text could take time as its square. */
const NOT_BASE64 = /[^A-Za-z0-9+/=\s]/;

function bytesOf(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text.replace(/\s/g, '')), (c) => c.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** The image that a text is: as a data address, as bare base64, or as SVG. Undefined if it is none. */
export function imageOf(text: string): Image | undefined {
  if (SVG.test(text)) return { format: 'SVG', bytes: new TextEncoder().encode(text), size: undefined };
  const address = DATA_URI.exec(text);
  if (!address && (!BARE.test(text) || NOT_BASE64.test(text))) return undefined;
  const bytes = bytesOf(text.slice(address?.[0].length ?? 0));
  if (!bytes) return undefined;
  const found = FORMATS.find(({ magic }) =>
    [...magic].every((c, i) => c === '?' || bytes[i] === c.charCodeAt(0)),
  );
  if (!found) return undefined;
  return { format: found.name, bytes, size: found.sizeOf(new DataView(bytes.buffer)) };
}
