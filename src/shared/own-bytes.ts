/** The bytes in a buffer that holds nothing else, for a port to carry off. */
export function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = bytes;
  const isAlone = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
  return isAlone ? new Uint8Array(buffer) : new Uint8Array(bytes);
}
