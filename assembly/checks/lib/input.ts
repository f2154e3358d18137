// What a check is given: the parts of its input (protocol 14.2).

import { rejectParameters } from './report';
import './trap';

/** Address for an input of that many bytes; exported as it is by each check. */
export function vws_input(length: i32): i32 {
  return <i32>heap.alloc(<usize>length);
}

const VERSION: u32 = 1;
const PARAMETERS: u32 = 0;
const FIELDS: u32 = 1;
const DELIVERY: u32 = 2;
const SEED: u32 = 3;

/** Bytes in memory. */
export class Bytes {
  constructor(
    public at: usize,
    public length: u32,
  ) {}
}

function part(input: usize, index: u32): Bytes {
  const row = input + 8 + 8 * <usize>index;
  return new Bytes(input + load<u32>(row), load<u32>(row, 4));
}

/** The check's parameters; another version of the layout is not read. */
export function parametersOf(input: usize): Bytes {
  if (load<u32>(input) != VERSION || load<u32>(input, 4) <= DELIVERY)
    rejectParameters('an unknown version of the input');
  return part(input, PARAMETERS);
}

/** The task's fields that the contract states, one JSON object. */
export function fieldsOf(input: usize): Bytes {
  return part(input, FIELDS);
}

export function deliveryOf(input: usize): Bytes {
  return part(input, DELIVERY);
}

/** 32 bytes that nobody knew before the delivery was ordered; none if the check is not seeded. */
export function seedOf(input: usize): Bytes {
  return part(input, SEED);
}
