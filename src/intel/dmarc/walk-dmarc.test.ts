import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDmarc } from "./parse-dmarc.ts";
import { organisationOf, recordOf, walkNames } from "./walk-dmarc.ts";

const label = fc.stringMatching(/^[a-z]{1,3}$/);
const domain = fc.array(label, { minLength: 1, maxLength: 40 }).map((labels) => labels.join("."));

describe("the DNS tree walk", () => {
  it("queries the names of the RFC's own example (section 4.10)", () => {
    expect(walkNames("a.b.c.d.e.f.g.h.i.j.mail.example.com")).toEqual([
      "a.b.c.d.e.f.g.h.i.j.mail.example.com",
      "g.h.i.j.mail.example.com",
      "h.i.j.mail.example.com",
      "i.j.mail.example.com",
      "j.mail.example.com",
      "mail.example.com",
      "example.com",
      "com",
    ]);
  });

  it("ends after at most eight queries, at the last label, with each name above the one before", () => {
    fc.assert(
      fc.property(domain, (name) => {
        const names = walkNames(name);
        expect(names.length).toBeLessThanOrEqual(8);
        expect(names[0]).toBe(name);
        expect(names.at(-1)).toBe(name.split(".").at(-1));
        for (const [index, one] of names.entries())
          if (index > 0) expect(names[index - 1]?.endsWith(`.${one}`)).toBe(true);
      }),
    );
  });

  it("finds one organizational domain, which is the name itself or a name above it", () => {
    const record = fc.constantFrom("", "v=DMARC1", "v=DMARC1; psd=y", "v=DMARC1; psd=n", "v=DMARC1; psd=u");
    fc.assert(
      fc.property(domain, fc.array(record, { minLength: 8, maxLength: 8 }), (name, texts) => {
        const sites = walkNames(name).map((one, index) => ({
          domain: one,
          found: [parseDmarc(texts[index] ?? "") ?? []].flat(),
        }));
        const end = sites.findIndex((site) => /^[yn]$/.test(recordOf(site)?.psd ?? ""));
        const found = organisationOf(name, end < 0 ? sites : sites.slice(0, end + 1));
        expect(name === found || name.endsWith(`.${found}`)).toBe(true);
      }),
    );
  });
});
