import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dmarcReport, writeDmarc } from "../harness/dmarc-reports.ts";
import { type IntelShell, openIntelShell } from "./intel-shell.ts";

const DAY_MS = 86_400_000;

let shell: IntelShell;
let folder: string;

beforeAll(async () => {
  shell = await openIntelShell();
  folder = await mkdtemp(path.join(tmpdir(), "hermod-reports-"));
  await shell.intel("client", "add", "Example Ltd", "--ref", "crm-1");
});
afterAll(async () => {
  await shell.close();
  await rm(folder, { recursive: true, force: true });
});

/** The file of a report about yesterday. */
async function fileOf(domain: string, orgName: string): Promise<string> {
  const today = Math.floor(shell.identity.time.clock.now().getTime() / DAY_MS) * DAY_MS;
  const report = dmarcReport({
    begin: new Date(today - DAY_MS),
    end: new Date(today - 1_000),
    orgName,
    policy: { ...dmarcReport().policy, domain },
  });
  const file = path.join(folder, `${orgName}!${domain}.xml.gz`);
  await writeFile(file, gzipSync(writeDmarc(report)));
  return file;
}

const add = (domain: string) => shell.json("domain", "add", domain, "--client", "crm-1");

describe("hermod intel domain upload", () => {
  it("counts a file once, and reports shows accepted and refused reports", async () => {
    await add("example.com");
    const file = await fileOf("example.com", "receiver.example");
    const heading = ["KIND", "OUTCOME", "FROM", "BEGINS", "ENDS", "COUNT", "NOTE"];
    const [shown, row = []] = await shell.rows("domain", "upload", "example.com", file);
    expect([shown, row.slice(0, 3)]).toEqual([heading, ["dmarc", "counted", "receiver.example"]]);
    const again = await shell.json("domain", "upload", "example.com", file);
    expect(again.reports).toMatchObject([{ kind: "dmarc", outcome: "repeated" }]);
    const foreign = await fileOf("example.org", "other.example");
    const [, refused = []] = await shell.rows("domain", "upload", "example.com", foreign);
    expect(refused.slice(0, 2)).toEqual(["dmarc", "refused"]);
    expect(refused.at(-1)).toBe('The report is about "example.org", not about example.com.');
    const { out } = await shell.intel("domain", "reports", "example.com");
    for (const line of [
      /^Counted +1 DMARC, 0 TLS$/m,
      /^Not counted +1 duplicates, 1 refused$/m,
      /^dmarc +upload +receiver\.example /m,
      / upload +- +The report is about "example\.org"/m,
    ])
      expect(out).toMatch(line);
    expect(await shell.json("domain", "reports", "example.com")).toMatchObject({ dmarc: 1, refused: 1 });
  });

  it("reports an unreadable file and an unknown domain", async () => {
    const missing = await shell.intel("domain", "upload", "example.com", path.join(folder, "none.xml"));
    expect([missing.code, missing.err]).toEqual([1, expect.stringContaining("the file does not exist")]);
    const file = await fileOf("example.net", "receiver.example");
    const unknown = await shell.intel("domain", "upload", "example.net", file, "--json");
    expect([unknown.code, JSON.parse(unknown.err).error.code]).toEqual([1, "watched_domain.unknown"]);
  });
});

describe("hermod intel offers", () => {
  it("lists sending domains until they are watched", async () => {
    await shell.identity.operator.domains.addDomain({ domain: "own.example.net" });
    expect(await shell.rows("offers")).toEqual([
      ["DOMAIN", "STATUS"],
      ["own.example.net", "unverified"],
    ]);
    expect((await shell.json("offers")).data).toMatchObject([{ name: "own.example.net" }]);
    await add("own.example.net");
    expect((await shell.intel("offers")).out).toBe("Every sending domain is watched.\n");
  });
});
