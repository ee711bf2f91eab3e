import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readReturnPath } from "./return-path.ts";

const HOME = "https://mail.example.com";

describe("the path that a browser returns to after signing in with a provider", () => {
  it.each([
    ["", ""],
    ["/", "/"],
    ["/messages", "/messages"],
    ["/messages?state=failed&tag=a%20b#top", "/messages?state=failed&tag=a%20b#top"],
    ["/messages/../keys", "/keys"],
  ])("reads %j as %j", (given, path) => {
    expect(readReturnPath(given)).toBe(path);
  });

  it.each([
    "//evil.example",
    "/\\evil.example",
    "/\t/evil.example",
    "\\/evil.example",
    "https://evil.example/",
    "javascript:alert(1)",
    "evil.example",
    "@evil.example",
    ".evil.example",
    ":80/",
    "/..//evil.example",
    "/../../evil",
    "/%2e%2e/api/session",
    "/a/..//evil.example",
    "/\r\nset-cookie: a=b",
    `/${"a".repeat(2_000)}`,
  ])("refuses %j", (given) => {
    expect(() => readReturnPath(given)).toThrow();
  });

  it("never leads a browser out of the dashboard, for any input", () => {
    const piece = fc.constantFrom(
      "/",
      "\\",
      ".",
      "..",
      "%2e",
      "%2f",
      "@",
      ":",
      "evil.example",
      "?",
      "#",
      "\t",
      "\n",
      "https:",
      "a",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          fc.array(piece).map((parts) => parts.join("")),
        ),
        (given) => {
          let path: string;
          try {
            path = readReturnPath(given);
          } catch {
            return;
          }
          const { origin, pathname } = new URL(`/dashboard${path}`, `${HOME}/api/session/oidc/callback`);
          expect(origin).toBe(HOME);
          expect(pathname).toMatch(/^[/]dashboard(?:$|[/](?![/]))/);
          // The form is stable: reading the result again does not change it.
          expect(readReturnPath(path)).toBe(path);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
