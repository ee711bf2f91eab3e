import type { RegexValue } from "../bson/values.ts";
import { CommandError } from "../errors.ts";
import type { RegexTest } from "./filter.ts";

/**
 * MongoDB's expressions are PCRE, these are JavaScript's: a pattern that JavaScript does not know is refused, as is
 * the extended option "x", which it does not have.
 */
export function compileRegex(source: RegexValue): RegexTest {
  for (const option of source.options) {
    if (!"imsxu".includes(option)) {
      throw new CommandError(51108, `invalid flag in regex options: ${option}`);
    }
    if (option === "x")
      throw new CommandError(238, "regex option 'x' is not supported by the embedded engine");
  }
  if (source.pattern.includes("\0")) {
    throw new CommandError(2, "Regular expression cannot contain an embedded null byte");
  }
  const flags = `${source.options.replace(/[^ims]/g, "")}`;
  const pattern = flags.includes("m") ? source.pattern : endsBeforeNewline(source.pattern);
  return { source, compiled: compile(pattern, flags) };
}

function compile(pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, `${flags}u`);
  } catch {
    // Unicode mode forbids harmless escapes that PCRE allows: try without it.
  }
  try {
    return new RegExp(pattern, flags);
  } catch (cause) {
    throw new CommandError(51091, `Regular expression is invalid: ${(cause as Error).message}`);
  }
}

/** Without the option "m" PCRE's "$" also holds before a newline that ends the text. */
function endsBeforeNewline(pattern: string): string {
  return pattern.replace(/\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\$/g, (part) =>
    part === "$" ? "(?=\\n?$)" : part,
  );
}
