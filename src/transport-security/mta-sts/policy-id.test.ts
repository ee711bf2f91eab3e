import { describe, expect, it } from "vitest";
import { policyId } from "./policy-id.ts";

const idOf = (...records: string[]) => policyId(records.map((record) => [record]));

describe("the id of a policy", () => {
  it.each([
    "v=STSv1; id=20160831085700Z;",
    "v=STSv1;id=20160831085700Z",
    "v=STSv1 ;\t id=20160831085700Z ; ",
    "v=STSv1; a.b-c_d=~x:y; id=20160831085700Z; z=1",
    "v=STSv1; id=20160831085700Z; id=another",
  ])("is read from %s", (record) => {
    expect(idOf(record)).toBe("20160831085700Z");
  });

  it("may be split into several strings, beside records of other kinds", () => {
    expect(policyId([["v=STSv1; i", "d=1;"], ["v=spf1 -all"], ["v=STSv10; id=2;"], []])).toBe("1");
  });

  it.each([
    "",
    "v=STSv1",
    "v=STSv1;",
    "v=STSv2; id=1;",
    "v=stsv1; id=1;",
    " v=STSv1; id=1;",
    "id=1; v=STSv1;",
    "v=STSv1; id=;",
    "v=STSv1; id=a-b;",
    "v=STSv1; id = 1;",
    `v=STSv1; id=${"1".repeat(33)};`,
    "v=STSv1; ID=1;",
    "v=STSv1; id=1;; a=b",
    "v=STSv1; id=1; a=b=c",
    "v=STSv1; id=1; a",
    "v=STSv1; id=1; a=",
    "v=STSv1; id=1; a=é",
    "v=STSv1; id=1\n;",
    `v=STSv1; id=1; a=${"x".repeat(5_000)}`,
  ])("is not read from %j", (record) => {
    expect(idOf(record)).toBeUndefined();
  });

  it("is undefined for two records, even if they are equal", () => {
    expect(idOf("v=STSv1; id=1;", "v=STSv1; id=2;")).toBeUndefined();
    expect(idOf("v=STSv1; id=1;", "v=STSv1; id=1;")).toBeUndefined();
    expect(idOf("v=STSv1; id=1;", "v=STSv1; broken")).toBeUndefined();
    expect(policyId([])).toBeUndefined();
  });
});
