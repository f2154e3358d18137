// The delivered content by its kind: text, code, JSON or a table; always as text, never as markup. Of an image what it is.

import { useMemo, useState } from 'preact/hooks';
import { sha256Hex } from '../../../wire/hash.ts';
import { CopyId } from '../../parts/copy.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Table } from '../../parts/table.tsx';
import { formatCount } from '../../text/amount.ts';
import { contentOf } from '../../text/content-kind.ts';
import type { Image } from '../../text/image.ts';

const NAMES = {
  text: 'Text',
  code: 'Code',
  JSON: 'JSON',
  table: 'A table',
  image: 'An image, which this page does not draw',
} as const;

export function Plain({ text }: { text: string }) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: long texts must scroll by keyboard too.
  return <pre tabIndex={0}>{text}</pre>;
}

function ImageFacts({ of: { format, bytes, size } }: { of: Image }) {
  const hash = useMemo(() => sha256Hex(bytes), [bytes]);
  return (
    <Facts
      isWide
      of={[
        ['Format', format],
        [
          'Size',
          size ? `${formatCount(size.width)} × ${formatCount(size.height)} pixels` : 'Its head does not say',
        ],
        ['Length', `${formatCount(bytes.length)} bytes`],
        ['SHA-256 of the image', <CopyId key="image" id={hash} what="the hash of the image" />],
      ]}
    />
  );
}

export function Delivered({ text, category }: { text: string; category: string }) {
  const [isRaw, setRaw] = useState(false);
  const content = useMemo(() => contentOf(text, category), [text, category]);
  const hasOther = content.kind !== 'text' && content.kind !== 'code';
  return (
    <>
      <p class="row">
        <span class="soft">{isRaw ? 'As it was delivered' : NAMES[content.kind]}</span>
        {hasOther && (
          <button type="button" class="quiet" onClick={() => setRaw(!isRaw)}>
            {isRaw ? `Show as ${content.kind}` : 'Show as it was delivered'}
          </button>
        )}
      </p>
      {content.kind === 'image' && !isRaw ? (
        <ImageFacts of={content.image} />
      ) : content.kind === 'table' && !isRaw ? (
        <Table
          name="Delivered table"
          columns={content.head.map((name, i) => ({ name, cell: (row: string[]) => row[i] }))}
          rows={content.rows}
          keyOf={(row) => content.rows.indexOf(row)}
          empty="The table has no rows."
        />
      ) : (
        <Plain text={content.kind === 'JSON' && !isRaw ? content.text : text} />
      )}
    </>
  );
}
