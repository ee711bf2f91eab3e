import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AlertShell, DISK, openAlertShell, PAGER } from "./alert-shell.ts";

let shell: AlertShell;
beforeAll(async () => {
  shell = await openAlertShell();
  const alert = shell.file("disk.yaml", DISK);
  for (const options of [[], ["--severity", "warning", "--entity-id", "web-2"]]) {
    shell.identity.time.pass(1_000);
    await shell.hermod("alert", "send", alert, ...options);
  }
  await shell.hermodWith(PAGER, "alert-rule", "put", "-");
});
afterAll(() => shell.close());

const ALL = PAGER.replace("critical }", "warning }");

describe("hermod alert-rule try", () => {
  it("shows what a changed rule would match of past alerts, and what it would send", async () => {
    const { code, out } = await shell.hermodWith(ALL, "alert-rule", "try", "--rule", "-");
    expect(code).toBe(0);
    const lines = out.split("\n").map((line) => line.split(/ {2,}/));
    expect(lines.slice(0, 6)).toEqual([
      [expect.stringMatching(/^Tested 2 alerts from .* UTC to .* UTC\.$/)],
      ["Matched: 2, at their arrival 0. Newly matched: 2, no longer matched: 0, matched by other rules: 0."],
      ["Notices: 2 of 2 incidents, 2 mails, 0 digests."],
      [""],
      ["RULE", "BEFORE", "NOW", "TAKEN BY", "NOTICES"],
      ["pager", "0", "2", "2 of 2 incidents, 2 mails, 0 digests"],
    ]);
    expect(lines[7]).toEqual([
      expect.stringMatching(/^alr_/),
      "newly_matched",
      "warning cron: /var is full",
      "none -> pager",
    ]);
  });

  it("tests the stored rules, a set of rules, and only alerts that meet the filter", async () => {
    expect(await shell.json("alert-rule", "try")).toMatchObject({ tested: 2, newly_matched: 1 });
    const critical = ["--severity", "critical", "--last", "1", "--text", "VAR", "--source", "cron"];
    expect(await shell.json("alert-rule", "try", ...critical)).toMatchObject({ tested: 1, matched: 1 });
    const set = shell.file("set.yaml", "- { name: a, effect: drop }\n");
    expect(await shell.json("alert-rule", "try", "--rules", set)).toMatchObject({
      matched: 2,
      newly_matched: 2,
    });
    expect((await shell.hermod("alert-rule", "try", "--text", "never")).out).toBe(
      "No alerts meet the filter.\n",
    );
  });

  it.each([
    [["--last", "0"], 2, "It must be a whole number from 1 to 10000."],
    [["--name", "none"], 1, "The account has no alert rule with this name."],
    [["--severity", "fatal"], 1, "/filter/severities/0"],
  ])("refuses %j", async (options, exit, words) => {
    const { code, out, err } = await shell.hermod("alert-rule", "try", ...options);
    expect([code, out]).toEqual([exit, ""]);
    expect(err).toContain(words);
  });

  it("refuses a file with two rules", async () => {
    const two = shell.file("two.yaml", "- { name: a }\n- { name: b }\n");
    const { code, err } = await shell.hermod("alert-rule", "try", "--rule", two);
    expect([code, err]).toEqual([1, expect.stringContaining("must hold one rule.")]);
  });
});

describe("hermod alert-rule mail", () => {
  it("shows the mail of a stored rule for an alert", async () => {
    const { out } = await shell.hermod("alert-rule", "mail", "pager", "--alert", shell.file("a.yaml", DISK));
    expect(out).toMatch(
      /^From: Alerts <alerts@example\.com>\nSubject: \[critical\] cron: \/var is full \(host web-1\)\n\nFIRING/,
    );
    const { out: end } = await shell.hermod("alert-rule", "mail", "pager", "--kind", "resolved");
    expect(end).toContain("\n\nRESOLVED (critical) after 12 min.");
    const digest = await shell.json("alert-rule", "mail", "pager");
    expect(digest.digest.subject).toMatch(/^\[digest\] pager: /);
  });
});

describe("hermod alert-rule send-test", () => {
  it("sends a marked mail to the recipients of the rule", async () => {
    const { code, out } = await shell.hermod("alert-rule", "send-test", "pager");
    expect([code, out]).toEqual([0, expect.stringMatching(/^msg_\w+ to oncall@example\.net\n$/)]);
    const [{ subject }] = (await shell.json("message", "list", "--limit", "1")).data;
    expect(subject).toMatch(/^\[test\] \[critical\] /);
  });
});
