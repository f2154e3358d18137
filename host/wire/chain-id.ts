// The names of the two chains, which every signed request and the genesis hash contain (protocol 5.2, 12.7).

export function chainIdOf(testnet: boolean): string {
  return testnet ? 'vws-testnet-1' : 'vws-mainnet-1';
}
