import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allowSending } from "../harness/finished-message.ts";
import { type IntelShell, openIntelShell } from "./intel-shell.ts";

let shell: IntelShell;
beforeAll(async () => {
  shell = await openIntelShell();
});
afterAll(() => shell.close());

const said = ["--ref", "crm-1", "--email", "it@example.com", "--tag", "retail", "--tag", "north"];

describe("hermod intel client", () => {
  it("add, list, edit, archive and restore work", async () => {
    const { code, out } = await shell.intel("client", "add", "Nordlicht GmbH", ...said, "--notes", "a");
    const [, id = ""] = /^Added the client "Nordlicht GmbH" \((cl_\w+)\)\.\n$/.exec(out) ?? [];
    expect([code, id]).toEqual([0, expect.stringMatching(/^cl_/)]);
    expect(await shell.rows("client", "list")).toEqual([
      ["CLIENT", "NAME", "REFERENCE", "DOMAINS", "CRITICAL", "WARNING", "SCORE", "TAGS"],
      [id, "Nordlicht GmbH", "crm-1", "0", "0", "0", "-", "retail, north"],
    ]);
    // A missing option keeps the value, and an empty text removes it.
    const edited = await shell.json("client", "edit", id, "--timezone", "Europe/Berlin", "--tag", "");
    expect(edited).toMatchObject({
      name: "Nordlicht GmbH",
      external_ref: "crm-1",
      contact_emails: ["it@example.com"],
      notes: "a",
      timezone: "Europe/Berlin",
      tags: [],
    });
    expect((await shell.json("client", "edit", id, "--notes", "")).notes).toBeNull();
    expect((await shell.intel("client", "archive", id)).out).toBe(
      `Archived the client "Nordlicht GmbH" (${id}).\n`,
    );
    expect((await shell.intel("client", "list")).out).toBe("No clients match.\n");
    // An edit does not restore it from the archive.
    expect((await shell.json("client", "edit", id, "--tag", "old")).status).toBe("archived");
    expect((await shell.json("client", "list", "--archived")).data).toMatchObject([{ id, tags: ["old"] }]);
    expect((await shell.json("client", "restore", id)).status).toBe("active");
  });

  it("archive with --force names the schedules that stop working", async () => {
    const { accounts } = await shell.identity.operator.accounts.listAccounts({});
    await allowSending(shell.identity, accounts[0]?.id ?? "");
    const { id } = await shell.json("client", "add", "Reported");
    const from = ["--weekly", "mon", "--hour", "7", "--from", "Acme <reports@example.com>"];
    const { id: scheduleId } = await shell.json("schedule", "add", "Mondays", "--client", id, ...from);
    expect((await shell.intel("client", "archive", id)).code).toBe(1);
    expect((await shell.intel("client", "archive", id, "--force")).out).toBe(
      `Archived the client "Reported" (${id}).\nThese resources stop working without it:\n  schedule Mondays (${scheduleId})\n`,
    );
    await shell.intel("client", "restore", id);
    expect(await shell.json("client", "archive", id, "--force")).toMatchObject({
      id,
      status: "archived",
      used_by_count: 1,
      used_by: [{ kind: "schedule", id: scheduleId, name: "Mondays" }],
    });
  });

  it.each(["crm-7", "Müller & Söhne", "müller & SÖHNE"])("finds one by %j", async (named) => {
    if (named === "crm-7") await shell.intel("client", "add", "Müller & Söhne", "--ref", "crm-7");
    await shell.intel("client", "add", "Müller & Söhne KG");
    const { name } = await shell.json("client", "edit", named, "--locale", "en-GB");
    expect(name).toBe("Müller & Söhne");
  });

  it("finds none in another workspace, and reports that", async () => {
    const { id } = await shell.json("workspace", "add", "Other");
    await shell.intel("client", "add", "Elsewhere", "--workspace", id);
    for (const named of ["Elsewhere", "cl_none", ""]) {
      const { code, err } = await shell.intel("client", "archive", named, "--json");
      expect([named, code, JSON.parse(err).error.code]).toEqual([named, 1, "client.unknown"]);
    }
    const { status } = await shell.json("client", "archive", "elsewhere", "--workspace", id);
    expect(status).toBe("archived");
  });

  it("names the conflicting client", async () => {
    const { id } = await shell.json("client", "add", "Twin");
    const { code, err } = await shell.intel("client", "add", "TWIN");
    expect([code, err]).toEqual([1, expect.stringContaining('The client "Twin" already has this name')]);
    expect(id).toMatch(/^cl_/);
  });
});
