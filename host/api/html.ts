// Shared by the pages of the node: escaping, and one theme for light and dark, wide and narrow screens.
// Keeps: nothing is loaded from another host, and untrusted text never becomes markup.

import { utf8 } from '../wire/bytes.ts';
import { sha256 } from '../wire/hash.ts';

const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (c) => ESCAPES[c]!);
}

/** Makes an anchor id from any text. */
export function anchor(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

const THEME = `
:root{color-scheme:light dark;--bg:#fbfaf7;--card:#fff;--ink:#1c2126;--soft:#5c6670;--line:#e4e1d9;--accent:#0b6e5f;
--get:#0b6e5f;--post:#9a5b00;--delete:#a8323e;--put:#5a4bb0;--code:#f3f1ea;--good:#1a8f5a;--bad:#c0392b}
@media (prefers-color-scheme:dark){:root{--bg:#12161a;--card:#1a2026;--ink:#e8eaec;--soft:#9aa5af;--line:#2b333b;
--accent:#5cc9b4;--get:#5cc9b4;--post:#e0a64a;--delete:#ef7f88;--put:#a99bf0;--code:#20272e;--good:#4ec98d;--bad:#ef7f88}}
*{box-sizing:border-box}
html{scroll-behavior:smooth;scroll-padding-top:1rem;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--bg);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",sans-serif}
a{color:var(--accent);text-decoration:none}a:hover,a:focus-visible{text-decoration:underline}
code,pre,.mono{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.875em}
code{background:var(--code);border-radius:4px;padding:.1em .35em;overflow-wrap:anywhere}
pre{background:var(--code);border-radius:8px;padding:1rem;overflow-x:auto;line-height:1.45}pre code{padding:0;background:none}
h1,h2,h3{line-height:1.2;letter-spacing:-.01em}
table{border-collapse:collapse;width:100%;font-size:.92rem}
th{text-align:left;color:var(--soft);font-weight:600;font-size:.8rem}
th,td{padding:.4rem .75rem .4rem 0;border-bottom:1px solid var(--line);vertical-align:top}
.scroll{overflow-x:auto}.soft{color:var(--soft)}
`;

/**
 * Headers of a page that `htmlPage` made: it loads nothing and runs nothing; its one style is named by its hash.
 */
export function pageHeaders(page: string): Record<string, string> {
  const style = page.slice(page.indexOf('<style>') + '<style>'.length, page.indexOf('</style>'));
  const hash = toBase64(sha256(utf8(style)));
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'Content-Security-Policy': policy.join('; '),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  };
}

/** A complete page. `title`: text; `css`, `body`: trusted markup. */
export function htmlPage(title: string, css: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>${THEME}${css}</style>
</head>
<body>
${body}
</body>
</html>
`;
}
