import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { valueAt } from "../../parts/drafts/draft-content.ts";
import { lineOf, placeOf, placesOf } from "../../parts/drafts/json-places.ts";
import { readJson } from "./read-json.ts";

describe("the text of a policy", () => {
  it("is read if the form can show it, also with fields that the server refuses", () => {
    const content = { transports: [{ direct: {} }], unknown: true };
    expect(readJson(JSON.stringify(content))).toEqual({ content });
  });

  it.each([
    ["[]", ""],
    ["{}", "/transports"],
    ['{"transports":[{"smtp":{}}]}', "/transports/0/smtp/servers"],
    ['{"transports":[{"smtp":{"servers":[{"host":1}]}}]}', "/transports/0/smtp/servers/0/host"],
    ['{"transports":[],"rules":[{"domains":"example.org","transports":[]}]}', "/rules/0/domains"],
    ['{"transports":[],"retry":{"waits_seconds":["60"]}}', "/retry/waits_seconds/0"],
  ])("%s is refused with the pointer %j", (text, pointer) => {
    expect(readJson(text)).toEqual({ fault: { kind: "shape", pointer } });
  });

  it("is refused with the reason if it is not JSON", () => {
    expect(readJson("{")).toMatchObject({ fault: { kind: "syntax", message: expect.any(String) } });
  });
});

describe("the position of a JSON pointer", () => {
  it("is that of its value, or of the closest part around it", () => {
    const text = '{\n  "transports": [\n    { "smtp": { "servers": [] } }\n  ]\n}';
    expect(lineOf(text, placeOf(text, "/transports/0/smtp/servers"))).toBe(3);
    expect(placeOf(text, "/transports/0/smtp/password")).toBe(text.indexOf('{ "servers"'));
    expect(placeOf("{", "/transports")).toBe(0);
  });

  it("begins the same value in any JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, space) => {
        const text = JSON.stringify(value, null, space);
        for (const [pointer, place] of placesOf(text)) {
          const found = JSON.stringify(valueAt(JSON.parse(text), pointer), null, space);
          const shown = text.slice(place).replaceAll(/\s/g, "");
          expect(shown.startsWith(found.replaceAll(/\s/g, ""))).toBe(true);
        }
      }),
    );
  });
});
