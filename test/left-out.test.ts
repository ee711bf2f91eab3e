import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { leftOutBy } from "./harness/left-out.ts";

describe("the test files that a run leaves out", () => {
  it("are files that there are, and each stands once in the list", () => {
    const listed = leftOutBy({ level: "", filters: [] });
    expect(listed.filter((file) => !existsSync(file))).toEqual([]);
    expect(new Set(listed).size).toBe(listed.length);
  });

  it("are none with `all`, the long ones with `ci`, and half of the time more without either", () => {
    expect(leftOutBy({ level: "all", filters: [] })).toEqual([]);
    const inCi = leftOutBy({ level: "ci", filters: [] });
    expect(inCi).toContain("test/api/schemathesis.test.ts");
    expect(inCi).not.toContain("test/flow/drain.test.ts");
    expect(leftOutBy({ level: "", filters: [] })).toContain("test/flow/drain.test.ts");
  });

  it("are not those that the command line names", () => {
    const listed = leftOutBy({ level: "", filters: ["flow/drain", "schemathesis"] });
    expect(listed).not.toContain("test/flow/drain.test.ts");
    expect(listed).not.toContain("test/api/schemathesis.test.ts");
    expect(listed).toContain("test/flow/crash.test.ts");
  });
});
