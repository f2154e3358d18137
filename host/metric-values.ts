// What a metric has counted, by the values of its labels: sums, and numbers of values by bucket.
// Keeps: counting is cheap, also where it happens with each request; samples are made only at a scrape.

/** A value in the form that prom-client needs at a scrape. */
export interface Sample {
  labels: Record<string, string | number>;
  value: number;
  metricName?: string;
}

/** Values of one metric by labels; `samples` gives them in the form that prom-client needs at a scrape. */
export class Series {
  private readonly values = new Map<string, { labels: Record<string, string>; value: number }>();

  constructor(private readonly names: readonly string[]) {}

  add(amount: number, ...labels: readonly string[]): void {
    const key = labels.length === 1 ? labels[0]! : labels.join('\n');
    const entry = this.values.get(key);
    if (entry) entry.value += amount;
    else this.values.set(key, { labels: this.labelled(labels), value: amount });
  }

  /** Adds to one of these labels at each call, for what happens too often to look them up. The series is never cleared. */
  counter(...labels: readonly string[]): (amount: number) => void {
    this.add(0, ...labels);
    const entry = this.values.get(labels.join('\n'))!;
    return (amount) => {
      entry.value += amount;
    };
  }

  set(value: number, ...labels: readonly string[]): void {
    this.values.set(labels.join('\n'), { labels: this.labelled(labels), value });
  }

  clear(): void {
    this.values.clear();
  }

  samples(): Sample[] {
    return [...this.values.values()];
  }

  get sum(): number {
    return this.samples().reduce((sum, { value }) => sum + value, 0);
  }

  private labelled(labels: readonly string[]): Record<string, string> {
    return Object.fromEntries(this.names.map((name, i) => [name, labels[i] ?? '']));
  }
}

interface Child {
  counts: Float64Array;
  sum: number;
  observe(value: number): void;
}

/** Counts by bucket for each label value (at most one label). */
export class Distribution {
  private readonly children = new Map<string, Child>();

  constructor(
    private readonly name: string,
    private readonly bounds: readonly number[],
    private readonly label: string | undefined,
  ) {}

  observe(value: number): void {
    this.observer('')(value);
  }

  /** Counts a value of one label at each call. */
  observer(label: string): (value: number) => void {
    const known = this.children.get(label);
    if (known) return known.observe;
    const { bounds } = this;
    const counts = new Float64Array(bounds.length + 1);
    const child = {
      counts,
      sum: 0,
      observe: (value: number): void => {
        let at = 0;
        while (at < bounds.length && value > bounds[at]!) at++;
        counts[at]!++;
        child.sum += value;
      },
    };
    this.children.set(label, child);
    return child.observe;
  }

  /** Counts by bucket over all labels. */
  get counts(): number[] {
    const children = [...this.children.values()];
    const buckets = [...this.bounds.keys(), this.bounds.length];
    return buckets.map((bucket) => children.reduce((sum, { counts }) => sum + counts[bucket]!, 0));
  }

  samples(): Sample[] {
    const samples: Sample[] = [];
    for (const [label, { counts, sum }] of this.children) {
      const labels: Record<string, string> = this.label === undefined ? {} : { [this.label]: label };
      let total = 0;
      for (const [i, count] of counts.entries()) {
        total += count;
        const le = i < this.bounds.length ? this.bounds[i]! : '+Inf';
        samples.push({ metricName: `${this.name}_bucket`, labels: { le, ...labels }, value: total });
      }
      samples.push({ metricName: `${this.name}_sum`, labels, value: sum });
      samples.push({ metricName: `${this.name}_count`, labels, value: total });
    }
    return samples;
  }
}
