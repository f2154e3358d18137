// A minimal ledger in BigInt, written from the rules: the balances that a random run over HTTP must end with.
// Transfers, stakes, generations and verdicts of one deciding validator, without decay or deadlines.

export const GRANT = 50_000_000_000n;

export interface Account {
  balance: bigint;
  staked: bigint;
  /** Own pending transfers. */
  exposure: bigint;
  generated: bigint;
  transferred: bigint;
}

export interface Item {
  kind: 'transfer' | 'generation';
  from: string;
  to: string;
  amount: bigint;
}

/** protocol 6.2: fee, the voters' cut of it, and what is left for the treasury. */
export function baseFee(amount: bigint): { fee: bigint; cut: bigint } {
  const fee = (amount * 10n) / 10_000n;
  return { fee, cut: (fee * 8_000n) / 10_000n };
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

export class Books {
  readonly accounts = new Map<string, Account>();
  readonly pending = new Map<string, Item>();
  treasury: bigint;
  fees = 0n;

  /** `operator`: votes alone and gets the voters' cut. */
  constructor(
    readonly operator: string,
    genesis: { treasury: number; balance: number; staked: number },
  ) {
    this.treasury = BigInt(genesis.treasury);
    this.open(operator, BigInt(genesis.balance), BigInt(genesis.staked));
  }

  private open(id: string, balance: bigint, staked: bigint): void {
    this.accounts.set(id, { balance, staked, exposure: 0n, generated: 0n, transferred: 0n });
  }

  of(id: string): Account {
    return this.accounts.get(id)!;
  }

  register(id: string, stake: bigint): string {
    if (stake > GRANT) return 'invalid_request';
    this.open(id, GRANT - stake, stake);
    return 'ok';
  }

  stake(id: string, amount: bigint): string {
    const a = this.of(id);
    if (amount > a.balance) return 'insufficient_balance';
    a.balance -= amount;
    a.staked += amount;
    return 'ok';
  }

  /** The multiplier stays 1: nobody is staked for 30 days. */
  unstake(id: string, amount: bigint): string {
    const a = this.of(id);
    if (amount > a.staked) return 'insufficient_stake';
    if (a.staked - amount < a.exposure) return 'stake_locked';
    a.staked -= amount;
    a.balance += amount;
    return 'ok';
  }

  transfer(event: string, from: string, to: string, amount: bigint): string {
    const a = this.of(from);
    if (a.exposure + amount > a.staked) return 'trust_limit_exceeded';
    if (amount > a.balance) return 'insufficient_balance';
    a.balance -= amount;
    a.exposure += amount;
    this.pending.set(event, { kind: 'transfer', from, to, amount });
    return 'ok';
  }

  generation(event: string, from: string, to: string, amount: bigint): string {
    this.pending.set(event, { kind: 'generation', from, to, amount });
    return 'ok';
  }

  verify(event: string, verdict: boolean, value: bigint): string {
    const item = this.pending.get(event);
    if (!item) return 'not_pending';
    this.pending.delete(event);
    if (item.kind === 'transfer') this.decideTransfer(item, verdict);
    else this.decideGeneration(item, verdict, value);
    return 'ok';
  }

  private decideTransfer({ from, to, amount }: Item, verdict: boolean): void {
    const a = this.of(from);
    a.exposure -= amount;
    if (!verdict) {
      a.balance += amount;
      this.treasury += a.staked;
      a.staked = 0n;
      return;
    }
    a.transferred += amount;
    this.of(to).balance += amount - this.takeFee(amount);
  }

  private decideGeneration({ from, to, amount }: Item, verdict: boolean, value: bigint): void {
    const a = this.of(from);
    if (!verdict) {
      const slash = (a.staked * 1_000n) / 10_000n;
      a.staked -= slash;
      this.treasury += slash;
      return;
    }
    this.of(to).generated += value;
    a.balance -= this.takeFee(least(amount, value), a.balance);
  }

  /** Splits the fee of an amount, at most `most`, between the voter and the treasury. */
  private takeFee(amount: bigint, most = amount): bigint {
    const fee = least(baseFee(amount).fee, most);
    const cut = (fee * 8_000n) / 10_000n;
    this.fees += fee;
    this.of(this.operator).balance += cut;
    this.treasury += fee - cut;
    return fee;
  }
}
