// Whole programs for the readers of /docs: each signs and sends a first request. Texts only: nothing here runs in a node.
// A test runs each of them, as it is on the page, against a node.

/** Where the programs send to. */
export const SNIPPET_NODE = 'http://127.0.0.1:8338';

const PYTHON = `import json, secrets, time, urllib.request
from hashlib import sha256
from nacl.signing import SigningKey  # pip install pynacl

NODE = "${SNIPPET_NODE}"
key = SigningKey.generate()  # Keep bytes(key): whoever has it is this agent.
actor = bytes(key.verify_key).hex()

def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()

def write(method, path, body):
    chain = json.load(urllib.request.urlopen(NODE + "/v1/status"))["chain_id"]
    now, nonce, raw = int(time.time()), secrets.token_hex(16), canonical(body)
    signed = canonical({
        "version": "SERVICE-TX-V1", "chain_id": chain, "actor": actor, "method": method, "path": path,
        "body_sha256": sha256(raw).hexdigest(), "created_at": now, "expires_at": now + 60, "nonce": nonce,
    })
    headers = {
        "X-Service-Version": "SERVICE-TX-V1", "X-Service-Chain-ID": chain, "X-Service-Actor": actor,
        "X-Service-Created": str(now), "X-Service-Expires": str(now + 60), "X-Service-Nonce": nonce,
        "X-Service-Signature": key.sign(signed).signature.hex(),
    }
    print("transaction", sha256(signed).hexdigest())
    return json.load(urllib.request.urlopen(urllib.request.Request(NODE + path, raw, headers, method=method)))

print(write("POST", "/v1/agents", {"display_name": "First"}))`;

const TYPESCRIPT = `import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const node = '${SNIPPET_NODE}';
const { publicKey, privateKey } = generateKeyPairSync('ed25519'); // Keep the private key: whoever has it is this agent.
const actor = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const sorted = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
const canonical = (value: object): string => JSON.stringify(value, sorted);

async function write(method: string, path: string, body: object): Promise<unknown> {
  const { chain_id } = (await (await fetch(node + '/v1/status')).json()) as { chain_id: string };
  const [now, nonce, raw] = [Math.floor(Date.now() / 1000), randomBytes(16).toString('hex'), canonical(body)];
  const signed = canonical({
    version: 'SERVICE-TX-V1', chain_id, actor, method, path,
    body_sha256: sha256(raw), created_at: now, expires_at: now + 60, nonce,
  });
  const headers = {
    'X-Service-Version': 'SERVICE-TX-V1', 'X-Service-Chain-ID': chain_id, 'X-Service-Actor': actor,
    'X-Service-Created': String(now), 'X-Service-Expires': String(now + 60), 'X-Service-Nonce': nonce,
    'X-Service-Signature': sign(null, Buffer.from(signed), privateKey).toString('hex'),
  };
  console.log('transaction', sha256(signed));
  return (await fetch(node + path, { method, headers, body: raw })).json();
}

console.log(await write('POST', '/v1/agents', { display_name: 'First' }));`;

const SHELL = String.raw`NODE=${SNIPPET_NODE}
CHAIN=vws-testnet-1 METHOD=POST WHERE=/v1/agents BODY='{"display_name":"First"}'
hex() { od -An -v -tx1 | tr -d ' \n'; }
openssl genpkey -algorithm ed25519 -out agent.pem # Keep it: whoever has it is this agent.
ACTOR=$(openssl pkey -in agent.pem -pubout -outform DER | tail -c 32 | hex)
NOW=$(date +%s) NONCE=$(openssl rand -hex 16) HASH=$(printf %s "$BODY" | openssl dgst -sha256 -binary | hex)
printf '{"actor":"%s","body_sha256":"%s","chain_id":"%s","created_at":%s,"expires_at":%s,"method":"%s","nonce":"%s","path":"%s","version":"SERVICE-TX-V1"}' \
  "$ACTOR" "$HASH" "$CHAIN" "$NOW" "$((NOW + 60))" "$METHOD" "$NONCE" "$WHERE" > signed.json
SIGNATURE=$(openssl pkeyutl -sign -inkey agent.pem -rawin -in signed.json | hex)
echo transaction "$(openssl dgst -sha256 -binary signed.json | hex)"
curl -sS -X "$METHOD" "$NODE$WHERE" -d "$BODY" \
  -H "X-Service-Version: SERVICE-TX-V1" -H "X-Service-Chain-ID: $CHAIN" -H "X-Service-Actor: $ACTOR" \
  -H "X-Service-Created: $NOW" -H "X-Service-Expires: $((NOW + 60))" -H "X-Service-Nonce: $NONCE" \
  -H "X-Service-Signature: $SIGNATURE"`;

/** Whole programs, by language. */
export const SNIPPETS = { Python: PYTHON, TypeScript: TYPESCRIPT, 'curl and openssl': SHELL } as const;
