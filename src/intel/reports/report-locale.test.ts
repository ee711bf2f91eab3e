import fc from "fast-check";
import { expect, it } from "vitest";
import { createFormats } from "./document/formats.ts";
import { reportLocale, supportedLocale } from "./report-locale.ts";

it.each([
  ["en", "en"],
  ["en-us", "en-US"],
  ["EN-gb", "en-GB"],
  ["en-001", "en-001"],
])("writes reports in %s as %s", (tag, canonical) => {
  expect([supportedLocale(tag), reportLocale(tag)]).toEqual([canonical, canonical]);
});

it.each([
  "de",
  "de-DE",
  "fr",
  "ar",
  "en-Shaw",
  "en-Dsrt-US",
  "en-u-nu-arab",
  "en-GB-oxendict",
  "i-default",
  "",
  "n ö",
])("rejects the locale %j, and writes a report with this stored locale in English", (tag) => {
  expect([supportedLocale(tag), reportLocale(tag)]).toEqual([undefined, "en"]);
});

it("formats dates and numbers in English for any stored locale", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.constantFrom("de-DE", "ar", "ja-JP", "th-u-nu-thai", "fa")),
      (stored) => {
        const formats = createFormats(stored, "UTC");
        expect(formats.day("2026-11-22")).toMatch(/^(22 Nov|Nov 22,) 2026$/);
        expect(formats.number(1234.5)).toBe("1,234.5");
      },
    ),
  );
});
