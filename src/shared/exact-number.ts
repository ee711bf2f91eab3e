/** The parts of a number in JSON (RFC 8259 section 6), without its sign. */
const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE][+-]?\d+)?$/;

/** Every number of up to 15 digits is held to its last digit by a double (IEEE 754 binary64). */
const SAFE_LENGTH = 15;
/** More digits can be asked of no double (ECMA-262, Number.prototype.toExponential). */
const MAX_DIGITS = 100;
/** Longer ones say in zeros what an exponent would: not worth reading. */
const MAX_LENGTH = 400;

/**
 * Whether the number that stands in these octets is held by a double to every digit that is written, and is no
 * integer beyond 2^53 - 1, where neighbours fall together (RFC 8259 section 6). What is no number is none's concern.
 */
export function isExactNumber(text: Buffer, start: number, end: number): boolean {
  const length = end - start;
  if (!startsNumber(text[start] ?? 0)) return true;
  if (length > MAX_LENGTH) return false;
  const written = text.toString("latin1", start, end);
  if (length <= SAFE_LENGTH && !/e/i.test(written)) return true;
  const [, whole, fraction = ""] = NUMBER.exec(written) ?? [];
  if (whole === undefined) return true;
  const digits = (whole + fraction).replace(/^0+/, "").replace(/0+$/, "");
  const value = Math.abs(Number(written));
  if (digits === "") return true;
  if (value === 0 || value > Number.MAX_SAFE_INTEGER || digits.length > MAX_DIGITS) return false;
  // In the middle between two of that length, the one that JavaScript writes is not the one that rounding leads to.
  return (
    digitsOf(value.toExponential(digits.length - 1)) === digits || digitsOf(value.toExponential()) === digits
  );
}

/** Those of a mantissa. */
function digitsOf(exponential: string): string {
  return exponential.slice(0, exponential.indexOf("e")).replace(".", "");
}

function startsNumber(byte: number): boolean {
  return byte === 0x2d || (byte >= 0x30 && byte <= 0x39);
}
