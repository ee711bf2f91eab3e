/** One part of a query, between unquoted spaces. */
export interface Token {
  readonly offset: number;
  readonly length: number;
  /** Name before the first colon, in lower case; undefined: none. */
  readonly operator: string | undefined;
  /** The rest, without its quotation marks. */
  readonly value: string;
}

const SPACE = /\s/;
/** An unquoted name: `10:30` and `"to: us"` are text. */
const OPERATOR = /^([a-z]+):/i;

/** Splits a query. Within quotation marks spaces and colons are text, and `\"` is a quotation mark. */
export function readTokens(text: string): {
  readonly tokens: readonly Token[];
  /** Position of an unclosed quotation mark; undefined: none. */
  readonly openQuote: number | undefined;
} {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; ) {
    if (SPACE.test(text.charAt(at))) {
      at++;
      continue;
    }
    const offset = at;
    const operator = OPERATOR.exec(text.slice(at, at + MAX_OPERATOR_LENGTH))?.[1];
    if (operator !== undefined) at += operator.length + 1;
    let value = "";
    let quote: number | undefined;
    for (; at < text.length; at++) {
      const character = text.charAt(at);
      if (quote !== undefined && character === "\\" && '"\\'.includes(text.charAt(at + 1) || " ")) {
        at++;
        value += text.charAt(at);
      } else if (character === '"') quote = quote === undefined ? at : undefined;
      else if (quote === undefined && SPACE.test(character)) break;
      else value += character;
    }
    if (quote !== undefined) return { tokens, openQuote: quote };
    tokens.push({ offset, length: at - offset, operator: operator?.toLowerCase(), value });
  }
  return { tokens, openQuote: undefined };
}

/** Longer than any operator. */
const MAX_OPERATOR_LENGTH = 32;
