import { describe, expect, it } from "vitest";
import { runHermod } from "./run-hermod.ts";

describe("the command line", () => {
  it.each([
    [["kye", "list"], "Did you mean key?"],
    [["key", "crate"], "Did you mean create?"],
    [["key", "create", "--knd", "smtp"], "Did you mean --kind?"],
    [["key", "create", "--kind", "stmp"], "Allowed choices are account, deliverability, smtp."],
    [["message", "show"], "missing required argument 'id'"],
    [["message", "list", "--state", "lost"], "Allowed choices are accepted,"],
    [["message", "list", "--limit", "1001"], "1 to 1000"],
    [["key", "list", "more"], "too many arguments"],
    [["start", "--role", "edge,smpt"], '"smpt" must be one of all,'],
    [[], "Usage: hermod"],
    [["key"], "Usage: hermod key"],
  ])("answers %j with exit code 2 and help on standard error", async (argv, words) => {
    const ran = await runHermod(argv);
    expect(ran.code).toBe(2);
    expect(ran.err).toContain(words);
    expect(ran.out).toBe("");
  });

  it.each([[["--help"]], [["help"]], [["help", "key"]], [["message", "show", "--help"]], [["--version"]]])(
    "answers %j on standard output with exit code 0",
    async (argv) => {
      const ran = await runHermod(argv, { version: "1.2.3" });
      expect([ran.code, ran.err]).toEqual([0, ""]);
      expect(ran.out).not.toBe("");
    },
  );
});

describe("hermod start", () => {
  it.each([
    [[], "all"],
    [["--role", "edge"], "edge"],
    [["--role", "core, worker,core"], "core,worker"],
    [["--role", "edge,all"], "all"],
  ])("%j runs the roles %s", async (options, roles) => {
    const started: string[] = [];
    const start = async (given: { roles: string }) => void started.push(given.roles);
    expect((await runHermod(["start", ...options], { start })).code).toBe(0);
    expect(started).toEqual([roles]);
  });
});
