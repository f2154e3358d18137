// The heading of a page; receives the focus when the place changes.

import type { ComponentChildren } from 'preact';

export function Title({ text, children }: { text: ComponentChildren; children?: ComponentChildren }) {
  return (
    <div class="title">
      <h1 tabIndex={-1}>{text}</h1>
      {children}
    </div>
  );
}
