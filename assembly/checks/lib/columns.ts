// The columns that a table must have, and whether the fields of a row fit them.

import { compareText } from '../../lib/bytes';
import { CsvReader } from './csv-reader';
import { clear, compare, isInteger, newDecimal, READ, readDecimal } from './decimal';
import { Json, OBJECT } from './json';
import { allowOnly, arrayOf, decimalOf, flagOf, reject, textOf, textsOf } from './parameters';
import { quote, say, sayNumber } from './report';

const TEXT: u32 = 0;
const INTEGER: u32 = 1;
const DECIMAL: u32 = 2;
const DATE: u32 = 3;

export class Column {
  type: u32 = TEXT;
  isRequired: bool = false;
  minimum: usize = 0;
  maximum: usize = 0;
  choices: u32 = 0;
  /** Field of a row. */
  field: u32 = 0;
  /** The number in the present row; an empty field counts as zero. */
  value: usize = newDecimal();
  constructor(
    /** Node of its name. */
    public name: u32,
  ) {}

  get isNumber(): bool {
    return this.type == INTEGER || this.type == DECIMAL;
  }
}

/** Says which field is wrong, and why; answers false. */
function wrong(reader: CsvReader, json: Json, column: Column, what: string): bool {
  say('row ');
  sayNumber(reader.row);
  say(', ');
  quote(json.text(column.name), json.bytes(column.name));
  say(' ');
  say(what);
  return false;
}

function twoDigits(at: usize): u32 {
  const high = <u32>load<u8>(at) - 48;
  const low = <u32>load<u8>(at, 1) - 48;
  return high > 9 || low > 9 ? 100 : 10 * high + low;
}

/** A day of the Gregorian calendar, as YYYY-MM-DD. */
function isDate(at: usize, bytes: u32): bool {
  if (bytes != 10 || load<u8>(at, 4) != 0x2d || load<u8>(at, 7) != 0x2d) return false;
  const century = twoDigits(at);
  const rest = twoDigits(at + 2);
  const month = twoDigits(at + 5);
  const day = twoDigits(at + 8);
  if (century > 99 || rest > 99 || month < 1 || month > 12 || day < 1) return false;
  const year = 100 * century + rest;
  const isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  const days: u32 =
    month == 2 ? (isLeap ? 29 : 28) : month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
  return day <= days;
}

export class Columns {
  private columns: Column[] = [];
  constructor(
    private json: Json,
    private isOpen: bool,
  ) {
    const array = arrayOf(json, 0, 'columns');
    if (array == 0) reject('columns', 'is missing');
    let node = array + 1;
    for (let n = array == 0 ? 0 : json.size(array); n > 0; n--, node = json.next(node)) this.add(node);
  }

  private add(node: u32): void {
    const json = this.json;
    if (json.kind(node) != OBJECT) {
      reject('columns', 'has an element that is no object');
      return;
    }
    allowOnly(json, node, 'name type required minimum maximum enum');
    const name = textOf(json, node, 'name');
    const column = new Column(name);
    if (name == 0) reject('columns', 'has an element without a name');
    else if (this.find(name) !== null) reject('columns', 'has a name twice');
    const type = textOf(json, node, 'type');
    if (type != 0) {
      if (json.is(type, 'integer')) column.type = INTEGER;
      else if (json.is(type, 'decimal')) column.type = DECIMAL;
      else if (json.is(type, 'date')) column.type = DATE;
      else if (!json.is(type, 'text')) reject('type', 'is not known');
    }
    column.isRequired = flagOf(json, node, 'required');
    column.minimum = decimalOf(json, node, 'minimum');
    column.maximum = decimalOf(json, node, 'maximum');
    column.choices = textsOf(json, node, 'enum');
    if ((column.minimum | column.maximum) != 0 && !column.isNumber)
      reject('minimum or maximum', 'of a column without numbers');
    this.columns.push(column);
  }

  /** The column of the name that a node of the parameters has. */
  find(name: u32): Column | null {
    const json = this.json;
    for (let i = 0; i < this.columns.length; i++) {
      const own = this.columns[i].name;
      if (compareText(json.text(own), json.bytes(own), json.text(name), json.bytes(name)) == 0)
        return this.columns[i];
    }
    return null;
  }

  /** Finds the columns by the first row; false if one is missing, there twice, or not expected. */
  place(reader: CsvReader): bool {
    const json = this.json;
    for (let i = 0; i < this.columns.length; i++) {
      const name = this.columns[i].name;
      let found: u32 = 0;
      for (let field: u32 = 0; field < reader.fields; field++) {
        if (compareText(json.text(name), json.bytes(name), reader.text(field), reader.bytes(field)) != 0)
          continue;
        found++;
        this.columns[i].field = field;
      }
      if (found != 1)
        return wrong(reader, json, this.columns[i], found == 0 ? 'is missing' : 'is there twice');
    }
    if (this.isOpen || reader.fields == <u32>this.columns.length) return true;
    say('there are columns that are not expected');
    return false;
  }

  /** True if all fields of the present row fit; else which does not was said. */
  fit(reader: CsvReader): bool {
    for (let i = 0; i < this.columns.length; i++) if (!this.fits(reader, this.columns[i])) return false;
    return true;
  }

  private fits(reader: CsvReader, column: Column): bool {
    const json = this.json;
    const at = reader.text(column.field);
    const bytes = reader.bytes(column.field);
    if (bytes == 0) {
      clear(column.value);
      return !column.isRequired || wrong(reader, json, column, 'is empty');
    }
    if (column.choices != 0 && !this.isChosen(column.choices, at, bytes))
      return wrong(reader, json, column, 'is none of the values it may be');
    if (column.type == DATE) return isDate(at, bytes) || wrong(reader, json, column, 'is no date');
    if (!column.isNumber) return true;
    if (readDecimal(at, bytes, column.value) != READ) return wrong(reader, json, column, 'is no number');
    if (column.type == INTEGER && !isInteger(column.value))
      return wrong(reader, json, column, 'is no integer');
    if (column.minimum != 0 && compare(column.value, column.minimum) < 0)
      return wrong(reader, json, column, 'is below its minimum');
    if (column.maximum != 0 && compare(column.value, column.maximum) > 0)
      return wrong(reader, json, column, 'is above its maximum');
    return true;
  }

  private isChosen(choices: u32, at: usize, bytes: u32): bool {
    const json = this.json;
    let node = choices + 1;
    for (let n = json.size(choices); n > 0; n--, node = json.next(node)) {
      if (compareText(json.text(node), json.bytes(node), at, bytes) == 0) return true;
    }
    return false;
  }
}
