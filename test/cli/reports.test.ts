import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type IntelShell, openIntelShell } from "./intel-shell.ts";

let shell: IntelShell;
beforeAll(async () => {
  shell = await openIntelShell();
  await shell.intel("client", "add", "Nordwind AG", "--ref", "crm-1");
  await shell.intel("domain", "add", "shop.example.com", "--client", "crm-1");
});
afterAll(() => shell.close());

const report = (...argv: string[]) => shell.intel("report", ...argv);
const json = (...argv: string[]) => shell.json("report", ...argv);

describe("hermod intel report", () => {
  it("add creates a report, and list, show and download give access to it", async () => {
    const { code, out, err } = await report("add", "--client", "crm-1");
    expect([code, err]).toEqual([0, ""]);
    const [, id = ""] = /^Created the report (rpt_\w+)\.\n$/.exec(out) ?? [];
    const [heading, row = []] = await shell.rows("report", "list", "--client", "crm-1");
    expect(heading).toEqual(["REPORT", "ABOUT", "FROM", "TO", "GENERATED"]);
    expect(row.slice(0, 2)).toEqual([id, "client Nordwind AG"]);
    expect((await json("list", "--domain", "shop.example.com")).data).toEqual([]);
    expect((await report("show", id)).out).toMatch(
      new RegExp(`^The report ${id} was generated at .+, and is kept until .+\\.\\n$`),
    );
    expect((await report("download", id, "--format", "html")).out).toContain("Nordwind AG");
    const file = await json("download", id);
    expect(file).toMatchObject({ media_type: "application/pdf" });
    expect(Buffer.from(file.content_base64, "base64").toString("latin1")).toMatch(/^%PDF/);
  });

  it("share prints a link once, links counts it, and unshare revokes it", async () => {
    const { id } = await json("add", "--domain", "shop.example.com");
    const shared = await json("share", id, "--days", "7", "--note", "For the board");
    expect(shared).toMatchObject({ report_id: id, state: "active", note: "For the board", opens: 0 });
    const { identity } = shell;
    await identity.frontEnd.reports.openReportLink({ token: shared.token, format: "html", counts: true });
    const [heading, row = []] = await shell.rows("report", "links", "--report", id);
    expect(heading?.slice(0, 7)).toEqual(["LINK", "REPORT", "ABOUT", "STATE", "EXPIRES", "OPENS", "PDF"]);
    expect([row[0], row[3], row[5], row[6]]).toEqual([shared.id, "active", "1", "0"]);
    expect((await report("unshare", shared.id)).out).toBe(`Revoked the link ${shared.id}.\n`);
    expect((await json("links")).data).toMatchObject([{ id: shared.id, state: "revoked" }]);
    const plain = await report("share", id);
    expect(plain.out).toMatch(/^(https?:\/\/.+)?\/report\/\S+\n$/);
    expect(plain.err).toContain("To revoke it: hermod intel report unshare rpl_");
    expect((await report("share", id, "--days", "91")).code).not.toBe(0);
  });

  it("remove ends a report and its links", async () => {
    const { id } = await json("add", "--client", "crm-1");
    expect((await report("remove", id)).out).toBe(`Removed the report ${id}.\n`);
    const { code, err } = await report("show", id, "--json");
    expect([code, JSON.parse(err).error.code]).toEqual([1, "report.unknown"]);
  });
});
