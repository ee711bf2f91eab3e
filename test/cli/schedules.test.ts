import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allowSending } from "../harness/finished-message.ts";
import { type IntelShell, openIntelShell } from "./intel-shell.ts";

let shell: IntelShell;
beforeAll(async () => {
  shell = await openIntelShell();
  const { accounts } = await shell.identity.operator.accounts.listAccounts({});
  await allowSending(shell.identity, accounts[0]?.id ?? "");
  await shell.intel("client", "add", "Nordwind AG", "--ref", "crm-1", "--timezone", "Europe/Berlin");
  await shell.intel("domain", "add", "shop.example.com", "--client", "crm-1");
});
afterAll(() => shell.close());

const FROM = ["--from", "Acme <reports@example.com>"];
const schedule = (...argv: string[]) => shell.intel("schedule", ...argv);
const json = (...argv: string[]) => shell.json("schedule", ...argv);

describe("hermod intel schedule", () => {
  it("add creates a schedule, and list and show print its times", async () => {
    const { code, out, err } = await schedule(
      ...["add", "Weekly", "--client", "crm-1", "--weekly", "mon", "--hour", "7", ...FROM],
    );
    expect([code, err]).toEqual([0, ""]);
    const [, id = ""] =
      /^Added the schedule "Weekly" \((rsc_\w+)\)\. The first report is due at .+\.\n$/.exec(out) ?? [];
    const [heading, row = []] = await shell.rows("schedule", "list");
    expect(heading).toEqual(["SCHEDULE", "NAME", "SCOPE", "CADENCE", "NEXT", "LAST"]);
    expect([...row.slice(0, 4), row[5]]).toEqual([id, "Weekly", "client", "mondays at 7:00", "-"]);
    for (const named of [id, "Weekly"]) {
      const shown = (await schedule("show", named)).out;
      expect(shown).toContain("mondays at 7:00 (Europe/Berlin)");
      expect(shown).toContain("the contacts of the client");
      expect(shown).toContain("none yet");
    }
    expect((await json("list")).data).toMatchObject([{ id, cadence: "weekly", weekday: 1, hour: 7 }]);
  });

  it("edit changes the given settings only", async () => {
    const monthly = ["--domain", "shop.example.com", "--monthly", "3", "--to", "ada@example.net"];
    const check = ["--brand", "Acme", "--color", "#0b5394", "--section", "changes", "--section", "fixes"];
    const { id } = await json("add", "Monthly", ...monthly, ...check, ...FROM, "--format", "html");
    expect(await json("edit", "Monthly", "--color", "", "--locale", "en-US")).toMatchObject({
      id,
      cadence: "monthly",
      day: 3,
      hour: 8,
      format: "html",
      locale: "en-US",
      timezone: "Europe/Berlin",
      branding: { name: "Acme" },
      sections: ["changes", "fixes"],
      recipients: ["ada@example.net"],
    });
    const weekly = await json("edit", id, "--weekly", "7", "--section", "", "--to", "", "--name", "Sundays");
    expect(weekly).toMatchObject({ name: "Sundays", weekday: 7, sections: [], recipients: [] });
    expect(weekly.day).toBeNull();
  });

  it("pause, resume, run and remove work", async () => {
    const { id } = await json("add", "All", "--monthly", "1", "--to", "ada@example.net", ...FROM);
    expect((await schedule("pause", "All")).out).toBe(`Paused the schedule "All" (${id}).\n`);
    expect((await schedule("show", id)).out).toContain("none: it is paused");
    const resumed = (await schedule("resume", "All")).out;
    expect(resumed).toMatch(/^Resumed the schedule "All" \(rsc_\w+\)\. Its next report is due at .+\.\n$/);
    const { out, err } = await schedule("run", "All");
    expect([out, err]).toEqual([
      'Creating the report "All".\n',
      `Result: hermod intel schedule show ${id}\n`,
    ]);
    await shell.identity.runSchedules();
    expect(await json("show", "All")).toMatchObject({ last_run: { status: "sent", trigger: "asked" } });
    expect(await json("remove", "All")).toEqual({ removed: id, name: "All" });
    const { code, err: gone } = await schedule("show", "All", "--json");
    expect([code, JSON.parse(gone).error.code]).toEqual([1, "schedule.unknown"]);
  });

  it.each([
    [["add", "No cadence", "--to", "a@example.net", ...FROM], "either --weekly or --monthly"],
    [["add", "Both", "--weekly", "1", "--monthly", "1", ...FROM], "cannot be used with option"],
    [["add", "Nobody", "--weekly", "1", ...FROM], "Name the recipients of its report"],
    [["add", "Odd", "--weekly", "someday", ...FROM], "It must be a day of the week"],
    [["add", "Stranger", "--weekly", "1", "--to", "a@b.example", "--from", "a@b.example"], "not a verified"],
    [["show", "Nothing"], "no schedule with this id or name"],
    [["show", ""], "no schedule with this id or name"],
  ])("%j reports the mistake", async (argv, words) => {
    const { code, err } = await schedule(...argv);
    expect(code).not.toBe(0);
    expect(err).toContain(words);
  });

  it("asks for an id if several have the name", async () => {
    const asked = ["add", "Twin", "--weekly", "1", "--to", "ada@example.net", ...FROM];
    for (let n = 0; n < 2; n++) await schedule(...asked);
    expect((await schedule("pause", "Twin")).err).toContain('Several schedules have the name "Twin"');
  });
});
