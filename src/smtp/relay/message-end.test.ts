import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMessageEnd } from "./message-end.ts";

function read(chunks: readonly Buffer[]): { content: string; rest: string | undefined } {
  const push = createMessageEnd();
  let content = "";
  for (const [index, chunk] of chunks.entries()) {
    const part = push(chunk);
    content += part.content.toString("latin1");
    if (part.rest) {
      return { content, rest: Buffer.concat([part.rest, ...chunks.slice(index + 1)]).toString("latin1") };
    }
  }
  return { content, rest: undefined };
}

/** The rule of RFC 5321, applied to the whole input. */
function expected(input: string): { content: string; rest: string | undefined } {
  const end = `\r\n${input}`.indexOf("\r\n.\r\n");
  const message = end === -1 ? input : input.slice(0, end);
  const content = `\r\n${message}`.replaceAll("\r\n.", "\r\n").slice(2);
  return { content, rest: end === -1 ? undefined : input.slice(end + 3) };
}

const octets = fc.array(fc.constantFrom("\r\n", ".", "\r", "\n", "a", "\r\n.", "\r\n.\r\n", ".\r\n"), {
  maxLength: 24,
});

describe("the end of a message", () => {
  it("is found as RFC 5321 defines it, however the message is cut", () => {
    fc.assert(
      fc.property(octets, fc.array(fc.nat(5), { maxLength: 40 }), (parts, cuts) => {
        const input = parts.join("");
        const chunks: Buffer[] = [];
        let at = 0;
        for (const cut of cuts) {
          chunks.push(Buffer.from(input.slice(at, at + cut + 1), "latin1"));
          at += cut + 1;
        }
        if (at < input.length) chunks.push(Buffer.from(input.slice(at), "latin1"));
        const found = read(chunks.filter((chunk) => chunk.length > 0));
        const wanted = expected(input);
        if (wanted.rest === undefined) {
          // Octets that may still become the end are held back.
          expect(found.rest).toBeUndefined();
          expect(wanted.content.startsWith(found.content)).toBe(true);
          expect(wanted.content.length - found.content.length).toBeLessThan(2);
        } else expect(found).toEqual(wanted);
      }),
      { numRuns: 3000 },
    );
  });

  it("returns content without dots unchanged, without a copy", () => {
    const chunk = Buffer.from("Subject: x\r\n\r\nabc");
    expect(createMessageEnd()(chunk).content).toBe(chunk);
  });
});
