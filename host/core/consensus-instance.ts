// One instance of consensus.wasm: its exports, its two buffers, and the handling of traps.
// Keeps: views are renewed when memory grows; after a trap every call throws the same error.

import * as abi from '../../assembly/consensus/abi.ts';
import { EpochRefused } from './consensus-types.ts';
import { CoreTrap } from './core.ts';

interface ConsensusExports {
  memory: WebAssembly.Memory;
  consensus_abi_version(): number;
  consensus_in_ptr(): number;
  consensus_out_ptr(): number;
  consensus_init(length: number): number;
  consensus_insert(length: number): number;
  consensus_next_block(): number;
  consensus_block_part(from: number): number;
  consensus_evidence_part(from: number): number;
  consensus_preview(length: number): number;
  consensus_explain(): number;
  consensus_leader(round: number, place: number): number;
  consensus_slot(round: number, place: number): number;
  consensus_has_quorum(round: number): number;
  consensus_figures(): number;
  consensus_timely(): number;
  consensus_snapshot_begin(): number;
  consensus_snapshot_part(): number;
  consensus_trap_ptr(): number;
}

export class ConsensusInstance {
  readonly exports: ConsensusExports;
  /** Input and output buffers of the module; contents are valid until the next call. */
  in!: Uint8Array;
  inView!: DataView;
  out!: Uint8Array;
  outView!: DataView;
  private readonly inAt: number;
  private readonly outAt: number;
  private trap: CoreTrap | undefined;

  /** Throws EpochRefused when the module has another ABI version. */
  constructor(module: WebAssembly.Module) {
    this.exports = new WebAssembly.Instance(module, {}).exports as unknown as ConsensusExports;
    this.inAt = this.exports.consensus_in_ptr();
    this.outAt = this.exports.consensus_out_ptr();
    if (this.exports.consensus_abi_version() !== abi.ABI_VERSION) throw new EpochRefused('abi_version');
    this.renewViews();
  }

  /** Calls an export with one number, which exports without a parameter ignore. Throws CoreTrap. */
  call(run: (argument: number) => number, argument = 0): number {
    if (this.trap) throw this.trap;
    try {
      const result = run(argument);
      // Memory that grew leaves the old buffer empty.
      if (this.out.length === 0) this.renewViews();
      return result;
    } catch (cause) {
      this.trap = new CoreTrap(`consensus trapped: ${this.trapText() ?? cause}`, { cause });
      throw this.trap;
    }
  }

  get memoryBytes(): number {
    return this.exports.memory.buffer.byteLength;
  }

  private renewViews(): void {
    const { buffer } = this.exports.memory;
    this.in = new Uint8Array(buffer, this.inAt, abi.BUFFER_BYTES);
    this.inView = new DataView(buffer, this.inAt, abi.BUFFER_BYTES);
    this.out = new Uint8Array(buffer, this.outAt, abi.BUFFER_BYTES);
    this.outView = new DataView(buffer, this.outAt, abi.BUFFER_BYTES);
  }

  private trapText(): string | undefined {
    const { buffer } = this.exports.memory;
    const at = this.exports.consensus_trap_ptr();
    const view = new DataView(buffer, at);
    if (view.getUint32(0, true) !== 1) return undefined;
    const [line, text, file] = [view.getUint32(4, true), view.getUint32(12, true), view.getUint32(16, true)];
    const read = (from: number, length: number): string =>
      new TextDecoder().decode(new Uint8Array(buffer, at + from, length));
    return `${read(abi.TRAP_TEXT, text)} at ${read(abi.TRAP_TEXT + text, file)}:${line}`;
  }
}
