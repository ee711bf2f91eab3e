import { readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AlertShell, DISK, openAlertShell, PAGER } from "./alert-shell.ts";

let shell: AlertShell;
beforeAll(async () => {
  shell = await openAlertShell();
});
afterAll(() => shell.close());
beforeEach(async () => {
  shell.identity.time.pass(1);
  for (const { settings } of await stored()) await shell.hermod("alert-rule", "remove", settings.name);
});

const stored = async () => (await shell.json("alert-rule", "list")).data;
const names = async () =>
  (await stored()).map(({ settings }: { settings: { name: string } }) => settings.name);
const put = (text: string, ...options: string[]) =>
  shell.hermod("alert-rule", "put", shell.file("rules.yaml", text), ...options);

/** The second one cannot be taken. */
const THREE = [
  "- name: first",
  "- { name: second, match: [{ field: severity, op: eq, value: fatal }] }",
  "- name: third",
].join("\n");

describe("hermod alert-rule put", () => {
  it("accepts the rules of the guide", async () => {
    const [, rules = ""] =
      /<<'EOF'\n(.*?)EOF\n/s.exec(readFileSync("docs/reference/alerts.md", "utf8")) ?? [];
    const { code, out } = await put(rules);
    expect([code, out]).toEqual([
      0,
      "The rule pager is created.\nThe rule noise is created.\nThe rule other-criticals is created.\n",
    ]);
    expect(
      (await shell.hermod("alert-rule", "list")).out.split("\n").map((line) => line.split(/ {2,}/)),
    ).toEqual([
      ["RULE", "ORDER", "WHEN", "NOTIFIES"],
      ["noise", "1", 'context.env eq "staging"', "dropped"],
      ["pager", "100", 'event_type glob "disk.*", severity gte "warning"', "oncall@example.com"],
      ["other-criticals", "1000", 'severity eq "critical"', "oncall@example.com", "only unmatched"],
      [""],
    ]);
  });

  it("accepts a rule, a list and several documents, in YAML and JSON, also from standard input", async () => {
    await put("name: one");
    await put('[{ "name": "two" }, { "name": "three" }]');
    expect((await put("---\nname: four\n---\nname: five\n---\n")).code).toBe(0);
    expect((await shell.hermodWith("name: six", "alert-rule", "put", "-")).out).toBe(
      "The rule six is created.\n",
    );
    expect((await names()).toSorted()).toEqual(["five", "four", "one", "six", "three", "two"]);
  });

  it("creates a new version only after a change, and reports it", async () => {
    await put(PAGER);
    expect((await put(PAGER)).out).toBe("The rule pager has version 1.\n");
    expect((await put(PAGER.replace("oncall", "night"))).out).toBe("The rule pager has version 2.\n");
    const { data } = JSON.parse((await put(PAGER, "--json")).out);
    expect(data).toMatchObject([{ version: 3, settings: { name: "pager" } }]);
  });

  it("--if-revision changes a rule only on its present revision, and names that", async () => {
    const named = async (revision: string) => put(PAGER, "--if-revision", revision, "--json");
    expect(await named("")).toMatchObject({
      code: 2,
      err: expect.stringContaining("It must be a `revision`"),
    });
    expect((await named("none")).code).toBe(0);
    const [{ revision }] = await stored();
    const { code, err } = await named("none");
    expect([code, JSON.parse(err).error]).toMatchObject([1, { code: "resource.stale", revision }]);
    expect(JSON.parse(err).error.message).toContain(`The current revision is ${revision}.`);
    expect((await put(PAGER.replace("oncall", "night"), "--if-revision", revision)).code).toBe(0);
    const remove = ["alert-rule", "remove", "pager", "--if-revision"];
    expect((await shell.hermod(...remove, revision)).code).toBe(1);
    expect(await names()).toEqual(["pager"]);
    expect((await shell.hermod(...remove, (await stored())[0].revision)).code).toBe(0);
    expect(await names()).toEqual([]);
  });

  it("--if-revision requires one rule", async () => {
    const { code, err } = await put("- name: one\n- name: two", "--if-revision", "none");
    expect([code, err]).toEqual([
      1,
      "hermod: --if-revision is for one resource, so the file must hold only one.\n",
    ]);
    expect(await names()).toEqual([]);
  });

  it("reports a rule that never matches", async () => {
    await put("{ name: all, order: 1, stop: true }");
    expect((await put("name: late")).out).toBe(
      "The rule late is created. It never matches: all matches all of its alerts first.\n",
    );
  });

  it.each([
    ["YAML that is none", "name: a\nmatch: [\n", " is not valid YAML: line 3, column 1: "],
    [
      "a name that stands twice",
      "name: a\nname: b\n",
      " is not valid YAML: line 2, column 1: Map keys must be unique.",
    ],
    [
      "an alias of nothing",
      "name: *a\n",
      " is not valid YAML: an alias refers to an anchor that is not defined before it.",
    ],
    ["nothing", "# later\n", " must hold an object or a list of objects."],
    ["a text", "pager\n", " must hold an object or a list of objects."],
    [
      "an unknown field",
      "name: a\nmatches: []\n",
      ' is not a valid alert rule: AlertRuleSettings: key "matches" is unknown.',
    ],
    [
      "an unknown field within",
      "- name: a\n- name: b\n  match:\n    - { field: source, op: eq, value: x }\n    - { field: source, operator: eq }\n",
      ': number 2, "b", is not a valid alert rule, at /match/1: Condition: key "operator" is unknown.',
    ],
    [
      "a value of another type",
      "name: a\norder: first\n",
      " is not a valid alert rule: AlertRuleSettings.order: expected number",
    ],
  ])("refuses %s with its position, and changes nothing", async (_what, text, words) => {
    const { code, out, err } = await put(text);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain(`rules.yaml${words}`);
    expect(JSON.parse((await put(text, "--json")).err)).toMatchObject({ error: { code: "input.invalid" } });
    expect(await stored()).toEqual([]);
  });

  it("stops at a refused rule, and lists stored and untried ones", async () => {
    const { code, out, err } = await put(THREE);
    expect([code, out, err]).toEqual([
      1,
      "",
      [
        "hermod: The request is not valid.",
        "  /match/0/value  The value must be one of info, warning, critical.",
        "Stopped at second, 2 of 3. Stored: first. Not tried: third.",
        "",
      ].join("\n"),
    ]);
    expect(await names()).toEqual(["first"]);
    const { error } = JSON.parse((await put(THREE, "--json")).err);
    expect(error).toMatchObject({
      code: "request.validation_failed",
      message: expect.stringContaining("Stopped at second, 2 of 3. Stored: first. Not tried: third."),
      errors: [{ pointer: "/match/0/value" }],
    });
  });
});

describe("hermod alert-rule catch-all", () => {
  const catchAll = (...options: string[]) => shell.hermod("alert-rule", "catch-all", ...options);
  const FROM = ["--from", "alerts@example.com"];
  const told = async (severity: string) => {
    const alert = { event_type: "fan.stopped", severity, source: "node", message: "fan 2" };
    return (await shell.json("alert-rule", "test", shell.file("fan.json", JSON.stringify(alert)))).notifying;
  };

  it("creates a rule for critical alerts that no other rule matches, including later rules", async () => {
    const { code, out } = await catchAll("oncall@example.com", "lead@example.com", ...FROM);
    expect([code, out]).toEqual([0, "The rule other-criticals is created.\n"]);
    expect((await stored())[0].settings).toMatchObject({
      order: 1_000_000,
      only_unmatched: true,
      match: [{ field: "severity", op: "eq", value: "critical" }],
      notify: { recipients: ["oncall@example.com", "lead@example.com"], from: "alerts@example.com" },
    });
    expect([await told("warning"), await told("critical")]).toEqual([[], ["other-criticals"]]);
    await put("{ name: fans, order: 999999, match: [{ field: event_type, op: prefix, value: fan }] }");
    expect(await told("critical")).toEqual(["fans"]);
  });

  it("changes a rule of that name only on its revision", async () => {
    await put("{ name: other-criticals, description: mine }");
    const { code, err } = await catchAll("oncall@example.com", ...FROM);
    const [{ revision, settings }] = await stored();
    expect([code, err, settings.description]).toEqual([
      1,
      expect.stringContaining(`The current revision is ${revision}.`),
      "mine",
    ]);
    const changed = await catchAll("oncall@example.com", ...FROM, "--if-revision", revision);
    expect(changed.out).toBe("The rule other-criticals has version 2.\n");
  });

  it("requires a recipient and a sender", async () => {
    expect((await catchAll(...FROM)).err).toContain("missing required argument 'recipient'");
    expect((await catchAll("oncall@example.com")).err).toContain("required option '--from <sender>'");
    expect(await stored()).toEqual([]);
  });
});

describe("hermod alert-rule list, show and remove", () => {
  it("list rules in the order of evaluation", async () => {
    expect((await shell.hermod("alert-rule", "list")).out).toBe(
      "There are no alert rules. Create one with `hermod alert-rule put`.\n",
    );
    await put("name: zebra");
    shell.identity.time.pass(1);
    await put("[{ name: ant, enabled: false }, { name: bee, order: -1 }]");
    expect(await names()).toEqual(["bee", "zebra", "ant"]);
    expect((await shell.hermod("alert-rule", "list")).out).toMatch(
      /^ant +100 +every alert +webhooks only +disabled$/m,
    );
  });

  it("show a rule in the input form of put", async () => {
    await put(PAGER);
    const { out } = await shell.hermod("alert-rule", "show", "pager");
    expect((await put(out)).out).toBe("The rule pager has version 1.\n");
    expect(await shell.json("alert-rule", "show", "pager")).toMatchObject({
      version: 1,
      settings: JSON.parse(out),
    });
  });

  it("remove a rule, and report an unknown one", async () => {
    await put(PAGER);
    expect((await shell.hermod("alert-rule", "remove", "pager")).out).toBe("Removed the rule pager.\n");
    for (const verb of ["remove", "show"]) {
      const { code, err } = await shell.hermod("alert-rule", verb, "pager", "--json");
      expect([code, JSON.parse(err).error.code]).toEqual([1, "alert_rule.unknown"]);
    }
  });
});

describe("hermod alert-rule test", () => {
  const test = (...options: string[]) =>
    shell.hermod("alert-rule", "test", shell.file("alert.yaml", DISK), ...options);

  it("shows the decision of each rule for an alert, and why", async () => {
    await put(
      `- name: noise\n  order: 1\n  match: [{ field: context.env, op: eq, value: staging }]\n---${PAGER}`,
    );
    expect((await test()).out).toBe(
      [
        ...[
          "Rules that notify: pager.",
          "",
          "noise (version 1): not_met",
          '    missing  context.env eq "staging"',
        ],
        ...["pager (version 1): notifies", '    holds    severity gte "critical"', ""],
      ].join("\n"),
    );
    const { notifying, rules } = await shell.json("alert-rule", "test", shell.file("alert.yaml", DISK));
    expect(notifying).toEqual(["pager"]);
    expect(rules).toMatchObject([{ reason: "not_met" }, { reason: "notifies" }]);
    expect((await shell.json("alert", "list")).data).toEqual([]);
  });

  it("tests a file of rules, and reports rules that never match", async () => {
    await put(PAGER);
    const file = shell.file(
      "tried.yaml",
      "- { name: all, order: 1, stop: true }\n- name: late\n- { name: off, order: 0, enabled: false }\n",
    );
    expect((await test("--rules", file)).out.split("\n")).toEqual([
      ...["Rules that notify: all.", "late never matches: all matches all of its alerts first.", ""],
      ...["off (version 1): disabled", "all (version 1): notifies", "late (version 1): not_asked", ""],
    ]);
    expect(await names()).toEqual(["pager"]);
  });

  it("reports that an alert is dropped, and that it is silenced", async () => {
    await put("{ name: noise, effect: drop }");
    const silenced = ["silence", "add", "entity_id eq web-1", "--for", "2h", "--comment", "maintenance"];
    const { id } = await shell.json(...silenced);
    expect((await test()).out).toBe(
      "No rule notifies.\nDropped by noise.\nSuppressed: the alert is silenced.\n\nnoise (version 1): drops\n",
    );
    await shell.hermod("silence", "end", id);
  });

  it("refuses an alert or rules that cannot be read", async () => {
    const tried = await test("--rules", shell.file("wrong.yaml", THREE));
    expect([tried.code, tried.err]).toEqual([
      1,
      "hermod: The request is not valid.\n  /rules/rules/1/match/0/value  The value must be one of info, warning, critical.\n",
    ]);
    const two = await shell.hermodWith(`${DISK}---${DISK}`, "alert-rule", "test", "-");
    expect(two.err).toBe("hermod: standard input must hold one alert.\n");
  });
});
