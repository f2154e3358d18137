// The trap record: what a failed assertion leaves in memory for the host to read.
// Keeps: the record is written before the instance stops, and nothing is allocated.
// Replaces the imported abort (`--use abort=assembly/lib/trap/trap`), so that the module has no imports.

const RECORD_BYTES: u32 = 1024;
const RECORD: usize = memory.data(1024, 8);
const TEXT: u32 = 20;
const MAX_CHARACTERS: u32 = 480;

/** Address of the trap record; layout in abi.ts, "Trap record". */
export function trapRecord(): usize {
  return RECORD;
}

// Assertion texts and file names are ASCII literals of this source, so one byte per character suffices.
function copyText(to: usize, text: string | null): u32 {
  if (text === null) return 0;
  const from = changetype<usize>(text);
  const length = min<u32>(<u32>text.length, MAX_CHARACTERS);
  for (let i: u32 = 0; i < length; i++) {
    const unit = load<u16>(from + (i << 1));
    store<u8>(to + i, unit < 128 ? <u8>unit : 63);
  }
  return length;
}

/** Writes the record and stops. The instance must not be called again: its state may be half written. */
export function trap(text: string | null, file: string | null, line: u32, column: u32): void {
  memory.fill(RECORD, 0, RECORD_BYTES);
  const textBytes = copyText(RECORD + TEXT, text);
  const fileBytes = copyText(RECORD + TEXT + textBytes, file);
  store<u32>(RECORD, 1);
  store<u32>(RECORD, line, 4);
  store<u32>(RECORD, column, 8);
  store<u32>(RECORD, textBytes, 12);
  store<u32>(RECORD, fileBytes, 16);
  unreachable();
}
