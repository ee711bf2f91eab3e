export interface JsonFault {
  /** Offset in the text, in UTF-16 units. */
  readonly offset: number;
  /** The problem, written after a colon. */
  readonly problem: string;
}

/**
 * Finds the first mistake in a text that is not JSON (RFC 8259). JSON.parse gives no position on some versions of Node
 * and for some mistakes, and its messages name tokens; these messages are for the author of the file.
 */
export function findJsonFault(text: string): JsonFault | undefined {
  const scanner = { text, at: 0 };
  try {
    scanValue(scanner);
    skipBlanks(scanner);
    if (scanner.at < text.length) fail(scanner, "unexpected text after the end of the value");
    return undefined;
  } catch (error) {
    if (error instanceof Mistake) return { offset: error.offset, problem: error.message };
    // Nested deeper than the stack: the position is unknown.
    return undefined;
  }
}

interface Scanner {
  readonly text: string;
  at: number;
}

class Mistake extends Error {
  readonly offset: number;
  constructor(offset: number, problem: string) {
    super(problem);
    this.offset = offset;
  }
}

function fail({ text, at }: Scanner, problem: string, offset = at): never {
  throw new Mistake(offset, offset >= text.length ? "the text ends too early" : problem);
}

const BLANKS = /[ \t\r\n]*/y;
const LITERAL = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** Moves past a match of the pattern; false when the pattern does not match here. */
function skip(scanner: Scanner, pattern: RegExp): boolean {
  pattern.lastIndex = scanner.at;
  if (!pattern.test(scanner.text)) return false;
  scanner.at = pattern.lastIndex;
  return true;
}

function skipBlanks(scanner: Scanner): void {
  skip(scanner, BLANKS);
}

function scanValue(scanner: Scanner): void {
  skipBlanks(scanner);
  const next = scanner.text[scanner.at];
  if (next === "{") scanMembers(scanner, "}", scanProperty);
  else if (next === "[") scanMembers(scanner, "]", scanValue);
  else if (next === '"') scanString(scanner);
  else if (next === "'") fail(scanner, "strings must be in double quotes");
  else if (next === "/" || next === "#") fail(scanner, "JSON has no comments");
  else if (!skip(scanner, LITERAL)) fail(scanner, "a value is expected here");
}

function scanMembers(scanner: Scanner, close: "}" | "]", scanMember: (scanner: Scanner) => void): void {
  scanner.at++;
  skipBlanks(scanner);
  if (scanner.text[scanner.at] === close) {
    scanner.at++;
    return;
  }
  for (;;) {
    scanMember(scanner);
    skipBlanks(scanner);
    const end = scanner.text[scanner.at];
    if (end !== "," && end !== close) fail(scanner, `"," or "${close}" is expected here`);
    const comma = scanner.at++;
    if (end === close) return;
    skipBlanks(scanner);
    if (scanner.text[scanner.at] === close) fail(scanner, `a comma before "${close}" is not allowed`, comma);
  }
}

function scanProperty(scanner: Scanner): void {
  skipBlanks(scanner);
  if (scanner.text[scanner.at] !== '"') fail(scanner, "a property name in double quotes is expected here");
  scanString(scanner);
  skipBlanks(scanner);
  if (scanner.text[scanner.at] !== ":") fail(scanner, '":" is expected after the property name');
  scanner.at++;
  scanValue(scanner);
}

function scanString(scanner: Scanner): void {
  scanner.at++;
  for (;;) {
    const next = scanner.text[scanner.at];
    if (next === undefined) fail(scanner, "");
    if (next === '"') break;
    if (next < " ")
      fail(
        scanner,
        "a string must not contain a line break, a tab or another control character: write \\n, \\t",
      );
    if (next !== "\\") scanner.at++;
    else if (!skip(scanner, ESCAPE)) fail(scanner, "unknown escape sequence: write \\\\ for a backslash");
  }
  scanner.at++;
}
