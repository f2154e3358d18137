// The delivered content by its kind: text, code, JSON or a table; always as text, never as markup.

import { useState } from 'preact/hooks';
import { Table } from '../../parts/table.tsx';
import { contentOf } from '../../text/content-kind.ts';

const NAMES = { text: 'Text', code: 'Code', JSON: 'JSON', table: 'A table' } as const;

function Plain({ text }: { text: string }) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: long texts must scroll by keyboard too.
  return <pre tabIndex={0}>{text}</pre>;
}

export function Delivered({ text, category }: { text: string; category: string }) {
  const [isRaw, setRaw] = useState(false);
  const content = contentOf(text, category);
  const hasOther = content.kind === 'JSON' || content.kind === 'table';
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
      {content.kind === 'table' && !isRaw ? (
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
