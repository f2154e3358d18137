// A map with the most recently remembered values: when it is full, the least recently remembered one is dropped.

export class RecentMap<Value> extends Map<string, Value> {
  constructor(private readonly max: number) {
    super();
  }

  /** Stores a value as the most recent one. */
  remember(key: string, value: Value): void {
    this.delete(key);
    if (this.size >= this.max) this.delete(this.keys().next().value!);
    this.set(key, value);
  }
}
