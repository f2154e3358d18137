// Sums that must agree: of columns in each row, and of a whole column.

import { Column, Columns } from './columns';
import { CsvReader } from './csv-reader';
import { add, clear, isNear, newDecimal } from './decimal';
import { Json, OBJECT } from './json';
import { allowOnly, arrayOf, decimalOf, reject, textOf, textsOf, toleranceOf } from './parameters';
import { quote, say, sayNumber } from './report';

class RowSum {
  parts: Column[] = [];
  constructor(
    public total: Column,
    public tolerance: usize,
  ) {}
}

class ColumnSum {
  sum: usize = newDecimal();
  constructor(
    public column: Column,
    /** The column whose sum it must have; null: `expected` is a number. */
    public other: Column | null,
    public expected: usize,
    public tolerance: usize,
  ) {}
}

export class Sums {
  private rows: RowSum[] = [];
  private columns: ColumnSum[] = [];
  private scratch: usize = newDecimal();

  constructor(
    private json: Json,
    private known: Columns,
  ) {
    const rowSums = arrayOf(json, 0, 'row_sums');
    let node = rowSums + 1;
    for (let n = rowSums == 0 ? 0 : json.size(rowSums); n > 0; n--, node = json.next(node)) this.addRow(node);
    const columnSums = arrayOf(json, 0, 'column_sums');
    node = columnSums + 1;
    for (let n = columnSums == 0 ? 0 : json.size(columnSums); n > 0; n--, node = json.next(node))
      this.addColumn(node);
  }

  /** A column of numbers by a node with its name. */
  private number(node: u32, member: string): Column | null {
    let column: Column | null = null;
    if (node != 0) column = this.known.find(node);
    if (column === null || !column.isNumber) {
      reject(member, 'is no column of numbers');
      return null;
    }
    return column;
  }

  private addRow(node: u32): void {
    const json = this.json;
    if (json.kind(node) != OBJECT) {
      reject('row_sums', 'has an element that is no object');
      return;
    }
    allowOnly(json, node, 'total of tolerance');
    const total = this.number(textOf(json, node, 'total'), 'total');
    const parts = textsOf(json, node, 'of');
    if (parts == 0) reject('of', 'is missing');
    if (total === null || parts == 0) return;
    const sum = new RowSum(total, toleranceOf(json, node));
    let part = parts + 1;
    for (let n = json.size(parts); n > 0; n--, part = json.next(part)) {
      const column = this.number(part, 'of');
      if (column !== null) sum.parts.push(column);
    }
    this.rows.push(sum);
  }

  private addColumn(node: u32): void {
    const json = this.json;
    if (json.kind(node) != OBJECT) {
      reject('column_sums', 'has an element that is no object');
      return;
    }
    allowOnly(json, node, 'column value equals tolerance');
    const column = this.number(textOf(json, node, 'column'), 'column');
    const otherNode = textOf(json, node, 'equals');
    const value = decimalOf(json, node, 'value');
    if ((otherNode == 0) == (value == 0)) reject('column_sums', 'needs either value or equals');
    let other: Column | null = null;
    if (otherNode != 0) other = this.number(otherNode, 'equals');
    if (column === null) return;
    const expected = value == 0 ? newDecimal() : value;
    this.columns.push(new ColumnSum(column, other, expected, toleranceOf(json, node)));
  }

  private fail(column: Column): bool {
    quote(this.json.text(column.name), this.json.bytes(column.name));
    say(' is not the sum that it must be');
    return false;
  }

  /** Adds up the present row; false if its sums do not agree, which was then said. */
  rowFits(reader: CsvReader): bool {
    const sum = this.scratch;
    for (let i = 0; i < this.rows.length; i++) {
      const row = this.rows[i];
      clear(sum);
      let isHeld = true;
      for (let k = 0; k < row.parts.length; k++) isHeld = add(sum, row.parts[k].value, false, sum) && isHeld;
      if (isHeld && isNear(sum, row.total.value, row.tolerance)) continue;
      say('row ');
      sayNumber(reader.row);
      say(', ');
      return this.fail(row.total);
    }
    for (let i = 0; i < this.columns.length; i++) {
      const one = this.columns[i];
      const other = one.other;
      let isHeld = add(one.sum, one.column.value, false, one.sum);
      if (other !== null) isHeld = add(one.expected, other.value, false, one.expected) && isHeld;
      if (!isHeld) return this.fail(one.column);
    }
    return true;
  }

  /** True if the sums of columns agree; else which does not was said. */
  fit(): bool {
    for (let i = 0; i < this.columns.length; i++) {
      const one = this.columns[i];
      if (isNear(one.sum, one.expected, one.tolerance)) continue;
      say('column ');
      return this.fail(one.column);
    }
    return true;
  }
}
