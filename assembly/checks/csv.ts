// The check `csv`: the delivery is a table (RFC 4180) with the stated columns, types, rows and sums.
//   separator  one character, "," by default        columns  the columns, by the names in the first row, in any order
//   additional  true: other columns are allowed      min_rows, max_rows  rows without the first
//   row_sums     [{total, of, tolerance}]: in each row the column `total` is the sum of the columns `of`
//   column_sums  [{column, value, tolerance}] or [{column, equals, tolerance}]: the sum of a column is a number, or the
//                sum of another column
// A column: name; type "text" (the default), "integer", "decimal", "date" (YYYY-MM-DD); required; minimum, maximum; enum.

import { Columns } from './lib/columns';
import { CsvReader } from './lib/csv-reader';
import { deliveryOf } from './lib/input';
import { allowOnly, countOf, flagOf, readParameters, reject, textOf } from './lib/parameters';
import { areParametersBad, badParameters, fail, pass, say, sayNumber } from './lib/report';
import { Sums } from './lib/sums';
import { countChars } from './lib/utf8';

export { vws_input } from './lib/input';

function rowsFit(reader: CsvReader, columns: Columns, sums: Sums, least: u32, most: u32): bool {
  if (!reader.read() || !columns.place(reader)) return false;
  let rows: u32 = 0;
  while (reader.read()) {
    rows++;
    if (!columns.fit(reader) || !sums.rowFits(reader)) return false;
  }
  if (reader.fault.length > 0) return false;
  if (rows < least || rows > most) {
    sayNumber(rows);
    say(rows < least ? ' rows, at least ' : ' rows, at most ');
    sayNumber(rows < least ? least : most);
    return false;
  }
  return sums.fit();
}

export function vws_run(input: usize, _length: u32): u64 {
  const json = readParameters(input);
  if (areParametersBad) return badParameters();
  allowOnly(json, 0, 'separator columns additional min_rows max_rows row_sums column_sums');
  const separatorNode = textOf(json, 0, 'separator');
  const separator: u32 = separatorNode == 0 ? 0x2c : load<u8>(json.text(separatorNode));
  if (
    separatorNode != 0 &&
    (json.bytes(separatorNode) != 1 || separator < 9 || separator == 0x22 || separator == 10)
  )
    reject('separator', 'is not one character');
  const columns = new Columns(json, flagOf(json, 0, 'additional'));
  const sums = new Sums(json, columns);
  const least = countOf(json, 0, 'min_rows', 0);
  const most = countOf(json, 0, 'max_rows', u32.MAX_VALUE);
  if (areParametersBad) return badParameters();

  const delivery = deliveryOf(input);
  if (countChars(delivery.at, delivery.length) < 0) {
    say('the delivery is not UTF-8');
    return fail();
  }
  const reader = new CsvReader(delivery.at, delivery.length, separator);
  if (rowsFit(reader, columns, sums, least, most)) return pass();
  if (reader.fault.length > 0) {
    say('row ');
    sayNumber(reader.row);
    say(': ');
    say(reader.fault);
  }
  return fail();
}
