import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Fault } from "../shared/fault.ts";
import { readApiKey } from "./read-api-key.ts";

const KEYS = ["hm_live_one", "hm_live_two"];

function read(headers: readonly (readonly [string, string])[], query: object = {}): string {
  try {
    return readApiKey({ raw: { rawHeaders: headers.flat() } as never, query });
  } catch (thrown) {
    return (thrown as Fault).code;
  }
}

describe("readApiKey", () => {
  it.each([
    "",
    "Bearer",
    "Bearer ",
    "bearer   ",
    "Basic",
    "Basic YWRhOnNlY3JldA==",
    'Digest username="ada"',
    "Negotiate",
    "hm_live_one",
    "BearerToken",
  ])("takes the key beside the Authorization %j", (value) => {
    expect(read([["Authorization", value]])).toBe("");
    const headers = [
      ["X-API-Key", "hm_live_one"],
      ["authorization", value],
    ] as const;
    expect(read(headers)).toBe("hm_live_one");
    expect(read([["AUTHORIZATION", value]], { api_key: "hm_live_one" })).toBe("hm_live_one");
  });

  it.each(["Bearer hm_live_two", "bearer undefined", "Bearer hm_live_one hm_live_one"])(
    "refuses a key beside the Bearer credential %j",
    (value) => {
      const headers = [
        ["X-API-Key", "hm_live_one"],
        ["Authorization", value],
      ] as const;
      expect(read(headers)).toBe("auth.key_conflict");
    },
  );

  it("refuses a Bearer credential beside an Authorization of another scheme", () => {
    const headers = [
      ["Authorization", "Bearer hm_live_one"],
      ["Authorization", "Basic YTpi"],
    ] as const;
    expect(read(headers)).toBe("auth.key_conflict");
  });

  it("answers the one key of all places, none, or a conflict of two", () => {
    const key = fc.constantFrom(...KEYS);
    const position = fc.oneof(
      key.map((value) => ({ header: ["X-API-Key", value] as const, key: value })),
      key.map((value) => ({ header: ["x-api-key", `${value}, ${value}`] as const, key: value })),
      key.map((value) => ({ header: ["Authorization", `Bearer  ${value}`] as const, key: value })),
      key.map((value) => ({ query: value, key: value })),
      fc.constantFrom({ header: ["X-API-Key", ""] as const }, { query: "" }),
    );
    const foreign = fc.option(fc.constantFrom("", "Bearer ", "Basic YTpi", "Token x"), { nil: undefined });
    fc.assert(
      fc.property(fc.array(position, { maxLength: 5 }), foreign, (positions, other) => {
        const hasBearer = positions.some((one) => "header" in one && one.header[0] === "Authorization");
        const headers = positions.flatMap((one) => ("header" in one ? [one.header] : []));
        const queries = positions.flatMap((one) => ("query" in one ? [one.query] : []));
        const isForeign = other !== undefined && !hasBearer;
        const all = isForeign ? [...headers, ["Authorization", other] as const] : headers;
        const expected = new Set(positions.flatMap((one) => ("key" in one ? [one.key] : [])));
        const [first = ""] = expected;
        expect(read(all, { api_key: queries })).toBe(expected.size > 1 ? "auth.key_conflict" : first);
      }),
    );
  });
});
