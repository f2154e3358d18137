// Worked examples of protocol 5.2, 5.4 and consensus 5.17, shared by the tests that check them.

export const SEED = '8f4f8f7790e2962df8313813a235f885e805625051bf60bc0a76115a721a7d44';
export const KEY = '902313e1b41cfe4f51bd68fbf54e67e02eb765803176a9338849b75ccb2cd913';
export const NONCE = '000102030405060708090a0b0c0d0e0f';
export const RAW_BODY = '{"to_agent":"bob","amount":2500000,"memo":"invoice 7"}';
export const JCS_BODY = '{"amount":2500000,"memo":"invoice 7","to_agent":"bob"}';
export const BODY_SHA256 = '438808db562d9e14e10b5dd0c7262fea9959dd82e8cbed162de49d69f08ec9ae';
export const SIGN_BYTES = `{"actor":"${KEY}","body_sha256":"${BODY_SHA256}","chain_id":"vws-testnet-1","created_at":1800000000,"expires_at":1800000060,"method":"POST","nonce":"${NONCE}","path":"/v1/transfer","version":"SERVICE-TX-V1"}`;
export const TXID = '80a7428d7972d78c1bb57887083ac6b9d8c464d9e18a9035eddf29185a07336b';
export const SIGNATURE =
  'c68ef9109f6539a8a2029014b6c845608cb124115453b707d8cfb19d00b3b8b587f35f400ad7eb925edd3df3aa032c1270a791ce5d679a02b86defa652d5b302';
export const REQUEST_V1_TXID = '48be963c145bdd4a08c17ac62fcd6cd47439b75c24d445fdc8220578e9506979';

export const HEADERS: Record<string, string> = {
  'x-service-version': 'SERVICE-TX-V1',
  'x-service-chain-id': 'vws-testnet-1',
  'x-service-actor': KEY,
  'x-service-created': '1800000000',
  'x-service-expires': '1800000060',
  'x-service-nonce': NONCE,
  'x-service-signature': SIGNATURE,
};

/** The eight points of small order, as they are written canonically. */
export const SMALL_ORDER_KEYS = [
  `01${'00'.repeat(31)}`,
  `ec${'ff'.repeat(30)}7f`,
  '00'.repeat(32),
  `${'00'.repeat(31)}80`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
];
/** Other writings of four of them that ZIP-215 reads: y not reduced, or a sign on x = 0. */
export const NON_CANONICAL_KEYS = [
  `01${'00'.repeat(30)}80`,
  `ec${'ff'.repeat(31)}`,
  `ed${'ff'.repeat(30)}7f`,
  `ed${'ff'.repeat(31)}`,
  `ee${'ff'.repeat(30)}7f`,
  `ee${'ff'.repeat(31)}`,
];
