// Reads a table row by row (RFC 4180): fields between separators, in quotes if they hold quotes, separators or line ends.
// Keeps: linear time; one row at a time; all rows have as many fields as the first. Rows end with LF or CR LF.

const MAX_FIELDS: u32 = 1024;
const ONES: u64 = ((<u64>0x01010101) << 32) | 0x01010101;

export class CsvReader {
  /** The row that was read last; the first, which has the names, is 1. */
  row: u32 = 0;
  fields: u32 = 0;
  /** Why there are no more rows; empty: the text is at its end. */
  fault: string = '';
  private at: usize;
  private end: usize;
  private separator: u32;
  private table: usize = heap.alloc(8 * MAX_FIELDS);

  constructor(at: usize, bytes: u32, separator: u32) {
    this.at = at;
    this.end = at + bytes;
    this.separator = separator;
  }

  text(field: u32): usize {
    return load<u32>(this.table + 8 * field);
  }
  bytes(field: u32): u32 {
    return load<u32>(this.table + 8 * field, 4);
  }

  /** Goes to the next row; false at the end, or at a fault. */
  read(): bool {
    if (this.at >= this.end || this.fault.length > 0) {
      if (this.row == 0 && this.fault.length == 0) this.fault = 'there is nothing';
      return false;
    }
    this.row++;
    const expected = this.fields;
    this.fields = 0;
    while (this.field()) {}
    if (this.fault.length == 0 && this.row > 1 && this.fields != expected)
      this.fault = 'not as many fields as names';
    return this.fault.length == 0;
  }

  /** Reads a field and what ends it; true if another follows in this row. */
  private field(): bool {
    if (this.fields >= MAX_FIELDS) {
      this.fault = 'more than 1,024 fields';
      return false;
    }
    const row = this.table + 8 * this.fields++;
    const isQuoted = this.at < this.end && load<u8>(this.at) == 0x22;
    if (isQuoted) this.quoted(row);
    else this.plain(row);
    if (this.fault.length > 0 || this.at >= this.end) return false;
    const b = load<u8>(this.at++);
    if (b == this.separator) return true;
    if (b == 13 && this.at < this.end && load<u8>(this.at) == 10) this.at++;
    else if (b != 10) this.fault = 'text behind a quoted field';
    return false;
  }

  private plain(row: usize): void {
    const from = this.at;
    const end = this.end;
    const separator = this.separator;
    // Most characters are above all that end a field: eight at once. The lowest that is marked is one that is not.
    const usual = max<u32>(separator, 0x22);
    const beyond = ONES * (usual + 1);
    let at = from;
    for (; ; at++) {
      for (; at + 8 <= end; at += 8) {
        const x = load<u64>(at);
        const found = (x - beyond) & ~x & (ONES << 7);
        if (found == 0) continue;
        at += <usize>(ctz(found) >> 3);
        break;
      }
      if (at >= end) break;
      const b = <u32>load<u8>(at);
      if (b > usual) continue;
      if (b == separator || b == 10) break;
      if (b == 13 && at + 1 < end && load<u8>(at, 1) == 10) break;
      if (b == 0x22) this.fault = 'a quote in a field without quotes';
    }
    this.at = at;
    store<u32>(row, <u32>from);
    store<u32>(row, <u32>(at - from), 4);
  }

  // Two quotes stand for one; the field is made shorter where it is.
  private quoted(row: usize): void {
    const from = ++this.at;
    let to = from;
    for (; ; this.at++) {
      if (this.at >= this.end) {
        this.fault = 'a quote is not closed';
        return;
      }
      const b = load<u8>(this.at);
      if (b == 0x22) {
        if (this.at + 1 >= this.end || load<u8>(this.at, 1) != 0x22) break;
        this.at++;
      }
      store<u8>(to++, b);
    }
    this.at++;
    store<u32>(row, <u32>from);
    store<u32>(row, <u32>(to - from), 4);
  }
}
