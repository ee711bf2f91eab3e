/** Parts of a JSON number (RFC 8259 section 6), without its sign. */
const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE][+-]?\d+)?$/;

/** A double holds every number of up to 15 digits exactly (IEEE 754 binary64). */
const SAFE_LENGTH = 15;
/** Maximum number of digits of a double (ECMA-262, Number.prototype.toExponential). */
const MAX_DIGITS = 100;
/** Longer texts use zeros in place of an exponent, and are not checked. */
const MAX_LENGTH = 400;

/**
 * Whether a double holds the number in these octets with every written digit, and the number is not an integer beyond
 * 2^53 - 1, where neighboring integers coincide (RFC 8259 section 6). Text that is not a number passes.
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
  // Exactly between two numbers of that length, JavaScript writes another number than rounding gives.
  return (
    digitsOf(value.toExponential(digits.length - 1)) === digits || digitsOf(value.toExponential()) === digits
  );
}

/** Digits of the mantissa. */
function digitsOf(exponential: string): string {
  return exponential.slice(0, exponential.indexOf("e")).replace(".", "");
}

function startsNumber(byte: number): boolean {
  return byte === 0x2d || (byte >= 0x30 && byte <= 0x39);
}
