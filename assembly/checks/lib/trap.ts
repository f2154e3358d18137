// What an assertion of a check compiles to: nobody reads its text, so it only stops.

export function trap(_message: string | null, _file: string | null, _line: u32, _column: u32): void {
  unreachable();
}
