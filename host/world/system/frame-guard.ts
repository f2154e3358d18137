// Checks the lengths of incoming frames on a socket: the stream above would allocate up to 16 MiB for any length that an
// unauthenticated peer announces.
// Keeps: a frame is a length of 3 bytes, little-endian, and that many bytes; before the handshake frames must be small.

/** Source: protocol 12.8, plus the 17 bytes that encryption adds. */
const MAX_FRAME_BYTES = 4 * 1024 * 1024 + 17;
const MAX_HANDSHAKE_BYTES = 1024;
const LENGTH_BYTES = 3;

export class FrameGuard {
  #skip = 0;
  #length = 0;
  #lengthBytes = 0;
  isOpen = false;

  /** Checks received bytes; false when a frame is too long. */
  take(data: Uint8Array): boolean {
    for (let at = 0; at < data.length; ) {
      if (this.#skip > 0) {
        const step = Math.min(this.#skip, data.length - at);
        this.#skip -= step;
        at += step;
        continue;
      }
      this.#length += data[at]! * 256 ** this.#lengthBytes;
      at += 1;
      this.#lengthBytes += 1;
      if (this.#lengthBytes < LENGTH_BYTES) continue;
      if (this.#length > (this.isOpen ? MAX_FRAME_BYTES : MAX_HANDSHAKE_BYTES)) return false;
      this.#skip = this.#length;
      this.#length = 0;
      this.#lengthBytes = 0;
    }
    return true;
  }
}
