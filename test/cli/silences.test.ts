import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AlertShell, DISK, openAlertShell, PAGER } from "./alert-shell.ts";

let shell: AlertShell;
beforeAll(async () => {
  shell = await openAlertShell();
  await shell.hermodWith(PAGER, "alert-rule", "put", "-");
});
afterAll(() => shell.close());
beforeEach(async () => {
  shell.identity.time.pass(1);
  for (const { id } of (await shell.json("silence", "list")).data) await shell.hermod("silence", "end", id);
});

const add = (...options: string[]) => shell.hermod("silence", "add", ...options, "--comment", "maintenance");
const active = async () => (await shell.json("silence", "list")).data;
const reasonOf = async (...options: string[]) => {
  const { outcome } = await shell.json("alert", "send", shell.file("disk.yaml", DISK), ...options);
  return outcome.reasons.map(({ reason }: { reason: string }) => reason);
};
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

describe("hermod silence", () => {
  it("add suppresses notifications for a time, and end stops that", async () => {
    const { code, out } = await add("entity_id eq web-1", "severity lte critical", "--for", "2h");
    expect([code, out]).toEqual([0, expect.stringMatching(/^sil_\w+ ends at \d{4}-.* UTC\.\n$/)]);
    const [id = ""] = out.split(" ");
    expect(await reasonOf("--entity-id", "web-1")).toEqual(["silenced"]);
    expect(await reasonOf("--entity-id", "web-2")).toEqual([]);
    const lines = (await shell.hermod("silence", "list")).out.split("\n").map((line) => line.split(/ {2,}/));
    expect(lines).toEqual([
      ["SILENCE", "STATE", "UNTIL", "WEEKLY", "WHEN", "COMMENT"],
      [
        id,
        "active",
        expect.stringMatching(/ UTC$/),
        'entity_id eq "web-1", severity lte "critical"',
        "maintenance",
      ],
      [""],
    ]);
    expect((await shell.hermod("silence", "end", id)).out).toBe(`Ended the silence ${id}.\n`);
    expect((await shell.hermod("silence", "list")).out).toBe("There are no silences.\n");
    const { data } = await shell.json("silence", "list", "--all");
    expect(data.find((one: { id: string }) => one.id === id)).toMatchObject({ state: "expired" });
  });

  it("add can start later", async () => {
    const {
      state,
      starts_at: from,
      comment,
    } = await shell.json(
      ...["silence", "add", "source prefix cron", "--from", inDays(1), "--for", "30m", "--comment", "move"],
    );
    expect([state, comment]).toEqual(["pending", "move"]);
    const [silence] = await active();
    expect(Date.parse(silence.ends_at) - Date.parse(from)).toBe(30 * 60_000);
  });

  it("add keeps texts, and reads numbers and lists as JSON", async () => {
    const end = ["--until", inDays(1)];
    for (const condition of [
      ...["entity_id eq 42", "entity_id ne true", 'source eq "a b"', "message contains null"],
      ...[
        "context.free lte 0.1",
        "context.name eq 42",
        'severity in ["info","warning"]',
        "entity_id exists false",
      ],
    ])
      expect(await add(condition, ...end, "--confirm")).toMatchObject({ code: 0, err: "" });
    const values = (await active()).map(({ match }: { match: { value: unknown }[] }) => match[0]?.value);
    expect(values).toHaveLength(8);
    expect(values).toEqual(
      expect.arrayContaining(["42", "true", "a b", "null", 0.1, 42, ["info", "warning"], false]),
    );
  });

  it("add refuses to silence nearly every alert without --confirm", async () => {
    const refused = await add("severity lte critical", "--for", "2h");
    expect([refused.code, refused.err]).toEqual([
      1,
      "hermod: These conditions match nearly every alert. Add --confirm or more conditions. Nothing was added or changed.\n",
    ]);
    expect(await active()).toEqual([]);
    expect((await add("severity lte critical", "--for", "2h", "--confirm")).code).toBe(0);
    expect(await active()).toHaveLength(1);
  });

  it("add recurs in weekly windows, without an end", async () => {
    const options = ["--weekly", "sun 02:00-04:00", "--weekly", "MON-wed,Sat 22:00 - 06:00"];
    const { code, out } = await add("entity_id eq web-1", ...options, "--time-zone", "Europe/Berlin");
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(
        /^sil_\w+ recurs sun 02:00-04:00, mon,tue,wed,sat 22:00-06:00 in Europe\/Berlin, has no end\.\n$/,
      ),
    ]);
    const [silence] = await active();
    expect(silence.weekly).toEqual({
      time_zone: "Europe/Berlin",
      windows: [
        { days: [7], from: "02:00", to: "04:00" },
        { days: [1, 2, 3, 6], from: "22:00", to: "06:00" },
      ],
    });
    expect(silence.ends_at).toBeNull();
    const { out: listed } = await shell.hermod("silence", "list");
    expect(listed).toContain("no end");
    expect(listed).toContain("sun 02:00-04:00, mon,tue,wed,sat 22:00-06:00 in Europe/Berlin");
    const until = ["--weekly", "daily 12:00-13:00", "--time-zone", "UTC", "--until", inDays(800)];
    expect((await add("entity_id eq web-1", ...until)).out).toContain(
      "recurs daily 12:00-13:00 in UTC, ends at",
    );
  });

  it("change keeps what is not given", async () => {
    await add("entity_id eq web-1", "--for", "2h");
    const [{ id, ends_at: end, starts_at: start }] = await active();
    const changed = await shell.hermod("silence", "change", id, "--comment", "longer");
    expect([changed.code, changed.out]).toEqual([
      0,
      expect.stringMatching(new RegExp(`^Changed the silence ${id}: it ends at .* UTC\\.\n$`)),
    ]);
    expect(await active()).toMatchObject([
      { id, comment: "longer", ends_at: end, starts_at: start, match: [{ value: "web-1" }] },
    ]);
    await shell.hermod("silence", "change", id, "entity_id eq web-2", "--for", "1h");
    const [after] = await active();
    expect(after).toMatchObject({ comment: "longer", match: [{ value: "web-2" }] });
    expect(Date.parse(after.ends_at)).toBeLessThan(Date.parse(end));
    const weekly = ["--weekly", "fri 10:00-11:00", "--time-zone", "UTC", "--until", inDays(30)];
    await shell.hermod("silence", "change", id, ...weekly);
    expect(await active()).toMatchObject([{ weekly: { windows: [{ days: [5] }] }, comment: "longer" }]);
    const onFormer = ["--comment", "x", "--if-revision", after.revision];
    const stale = await shell.hermod("silence", "change", id, ...onFormer);
    expect([stale.code, stale.err]).toEqual([1, expect.stringContaining("The current revision is ")]);
    expect((await shell.hermod("silence", "change", "sil_none", "--for", "1h")).code).toBe(1);
  });

  it("preview counts what would be suppressed", async () => {
    await reasonOf("--entity-id", "preview-1");
    const { code, out } = await shell.hermod("silence", "preview", "entity_id eq preview-1");
    expect(code).toBe(0);
    expect(out).toMatch(
      /^1 open incident would be suppressed, and 0 in part\.\n1 alert of \d+ since .* UTC would/,
    );
    expect(out).toMatch(/inc_\w+ {2}open {2}1 of 1 alerts {2}\[/);
    const all = await shell.hermod("silence", "preview", "severity lte critical");
    expect(all.out).toContain("it needs --confirm.");
    expect(await active()).toEqual([]);
  });

  it.each([
    [["entity_id eq web-1", "--weekly", "sunday 02:00-04:00"], 2, "It must be days and times"],
    [["entity_id eq web-1", "--weekly", "sun 2-4"], 2, "It must be days and times"],
    [["entity_id eq web-1", "--for", "2h", "--time-zone", "UTC"], 1, "--time-zone needs --weekly."],
    [
      ["entity_id eq web-1", "--weekly", "daily 00:00-00:00", "--time-zone", "UTC"],
      1,
      "/weekly/windows  Weekly windows must leave time between them.",
    ],
    [["entity_id eq web-1"], 1, "Give either --for or --until."],
    [["entity_id eq web-1", "--for", "2h", "--until", "2030-01-01T00:00:00Z"], 1, "Give either --for"],
    [
      ["entity_id", "--for", "2h"],
      1,
      `A condition must be a field, an operator and a value, for example 'entity_id eq web-1', but is "entity_id".`,
    ],
    [
      ["host eq web-1", "--for", "2h"],
      1,
      "/match/0/field  The field of a condition must be one of severity,",
    ],
    [
      ["severity eq fatal", "--for", "2h"],
      1,
      "/match/0/value  The value must be one of info, warning, critical.",
    ],
    [["entity_id eq web-1", "--for", "500d"], 1, "/ends_at  The end must be at most one year ahead."],
    [["entity_id eq web-1", "--for", "2"], 2, "It must be a number with a unit"],
    [["--for", "2h"], 2, "missing required argument 'conditions'"],
  ])("add refuses %j, and silences nothing", async (options, exit, words) => {
    const { code, out, err } = await add(...options);
    expect([code, out]).toEqual([exit, ""]);
    expect(err).toContain(words);
    expect(await active()).toEqual([]);
  });

  it("add requires a reason, and exactly one end", async () => {
    const { code, err } = await shell.hermod("silence", "add", "entity_id eq web-1", "--for", "2h");
    expect([code, err]).toEqual([2, expect.stringContaining("--comment <text>")]);
    const ended = await shell.hermod("silence", "end", "sil_none", "--json");
    expect([ended.code, JSON.parse(ended.err).error.code]).toEqual([1, "silence.unknown"]);
  });
});

const NETWORK = `
name: network
source: { match: [{ field: event_type, op: eq, value: net.down }] }
target: { match: [{ field: event_type, op: prefix, value: disk. }] }
equal: [context.site]
`;
const put = (text: string) => shell.hermod("inhibition", "put", shell.file("inhibitions.yaml", text));
const inhibitions = async () =>
  (await shell.json("inhibition", "list")).data.map(({ name }: { name: string }) => name);

describe("hermod inhibition", () => {
  it("put and remove change an inhibition only on the revision that they name", async () => {
    const named = (revision: string) =>
      shell.hermodWith(NETWORK, "inhibition", "put", "-", "--if-revision", revision);
    expect((await named("none")).code).toBe(0);
    const [{ revision }] = (await shell.json("inhibition", "list")).data;
    const { code, err } = await named("none");
    expect([code, err]).toEqual([1, expect.stringContaining(`The current revision is ${revision}.`)]);
    const remove = ["inhibition", "remove", "network", "--if-revision"];
    expect((await shell.hermod(...remove, "older")).code).toBe(1);
    expect(await inhibitions()).toEqual(["network"]);
    expect((await shell.hermod(...remove, revision)).code).toBe(0);
    expect(await inhibitions()).toEqual([]);
  });

  it("put suppresses dependent alerts until it is removed", async () => {
    expect((await put(NETWORK)).out).toBe("Stored the inhibition network.\n");
    const again = await shell.hermodWith(NETWORK, "inhibition", "put", "-");
    expect(again.out).toBe("Stored the inhibition network.\n");
    expect((await shell.hermod("inhibition", "list")).out).toBe(
      [
        "INHIBITION  WHILE                     SUPPRESSES                 EQUAL",
        'network     event_type eq "net.down"  event_type prefix "disk."  context.site\n',
      ].join("\n"),
    );
    const site = ["--context", "site=north"];
    expect(await reasonOf("--event-type", "net.down", ...site)).toEqual([]);
    expect(await reasonOf("--entity-id", "db-1", ...site)).toEqual(["inhibited"]);
    expect((await shell.hermod("inhibition", "remove", "network")).out).toBe(
      "Removed the inhibition network.\n",
    );
    expect((await shell.hermod("inhibition", "list")).out).toBe("There are no inhibitions.\n");
    expect(await reasonOf("--entity-id", "db-2", ...site)).toEqual([]);
    const { code, err } = await shell.hermod("inhibition", "remove", "network", "--json");
    expect([code, JSON.parse(err).error.code]).toEqual([1, "inhibition.unknown"]);
  });

  it("put changes nothing if one of a file is unreadable", async () => {
    const { code, err } = await put(`${NETWORK}---\nname: other\nsource: { matches: [] }\n`);
    expect(code).toBe(1);
    expect(err).toContain(
      ': number 2, "other", is not a valid inhibition, at /source: Matchers: key "matches" is unknown.\n',
    );
    expect(await inhibitions()).toEqual([]);
  });

  it("put stops at a refused one, and lists stored and untried ones", async () => {
    const { code, err } = await put(`${NETWORK}---\nname: bare\n---${NETWORK.replace("network", "later")}`);
    expect([code, err]).toEqual([
      1,
      [
        "hermod: 2 fields are not valid.",
        "  /source  At least one condition is required.",
        "  /target  At least one condition is required.",
        "Stopped at bare, 2 of 3. Stored: network. Not tried: later.\n",
      ].join("\n"),
    ]);
    expect(await inhibitions()).toEqual(["network"]);
  });
});
