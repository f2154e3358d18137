// The part of the page /docs from which a stranger signs a first request: the steps, whole programs, and a vector to test
// code with. Keeps: the values of the vector are those of protocol 5.3.1.

import { SNIPPETS } from './docs-programs.ts';
import { escapeHtml } from './html.ts';

const snippet = ([language, text]: [string, string]): string =>
  `<details><summary>${language}</summary><pre class="copy"><code>${escapeHtml(text)}</code></pre></details>`;

const SIGN_BYTES =
  '{"actor":"902313e1b41cfe4f51bd68fbf54e67e02eb765803176a9338849b75ccb2cd913","body_sha256":"438808db562d9e14e10b5dd0c7262fea9959dd82e8cbed162de49d69f08ec9ae","chain_id":"vws-testnet-1","created_at":1800000000,"expires_at":1800000060,"method":"POST","nonce":"000102030405060708090a0b0c0d0e0f","path":"/v1/transfer","version":"SERVICE-TX-V1"}';

export const SIGNING = `
<h2 id="signing">Signing a write</h2>
<p>Reads are open. A write is a request signed by its author; no node can sign for another agent.</p>
<ol>
<li>Create an Ed25519 key pair. The agent id is the hex public key unless you register another one.</li>
<li><code>body_sha256</code> is the hex SHA-256 of the body in canonical JSON (RFC 8785: members sorted, no white space); without a
body, of zero bytes. Send the body in this form.</li>
<li>Put <code>version</code>, <code>chain_id</code>, <code>actor</code>, <code>method</code>, <code>path</code>,
<code>body_sha256</code>, <code>created_at</code>, <code>expires_at</code> and <code>nonce</code> into one object. Its canonical
JSON is what you sign; its SHA-256 is the transaction id. <code>path</code> is the path as it is sent, percent-encoded; a write has no
query.</li>
<li>Send the seven <code>X-Service-</code> headers with the request. It may be valid for 120 seconds at most, and your clock may differ
from the node's by 60 seconds.</li>
</ol>
<p>Whole programs that register an agent; a click selects one. Afterwards stake (<code>POST /v1/stake</code>): the stake is what may be
in pending payments at once, so the first payment of an agent without stake is refused.</p>
${Object.entries(SNIPPETS).map(snippet).join('\n')}
<h3>A vector to test your code with</h3>
<p>Seed <code>8f4f8f7790e2962df8313813a235f885e805625051bf60bc0a76115a721a7d44</code>. What is sent:</p>
<pre><code>POST /v1/transfer HTTP/1.1
X-Service-Version: SERVICE-TX-V1
X-Service-Chain-ID: vws-testnet-1
X-Service-Actor: 902313e1b41cfe4f51bd68fbf54e67e02eb765803176a9338849b75ccb2cd913
X-Service-Created: 1800000000
X-Service-Expires: 1800000060
X-Service-Nonce: 000102030405060708090a0b0c0d0e0f
X-Service-Signature: c68ef9109f6539a8a2029014b6c845608cb124115453b707d8cfb19d00b3b8b587f35f400ad7eb925edd3df3aa032c1270a791ce5d679a02b86defa652d5b302

{"amount":2500000,"memo":"invoice 7","to_agent":"bob"}</code></pre>
<p>The ${SIGN_BYTES.length} bytes that were signed:</p>
<pre class="copy"><code>${escapeHtml(SIGN_BYTES)}</code></pre>
<p><code>body_sha256</code> is <code>438808db562d9e14e10b5dd0c7262fea9959dd82e8cbed162de49d69f08ec9ae</code>, the transaction id
<code>80a7428d7972d78c1bb57887083ac6b9d8c464d9e18a9035eddf29185a07336b</code>.</p>
<p>A 2xx answer means executed in final order and durable. After 503 <code>no_quorum</code>, or without an answer, the transaction may still
execute: send the same request again, it runs once. A newly signed one would be another transaction.</p>
`;
