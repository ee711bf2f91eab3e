import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sight } from "../harness/intel-world.ts";
import { type IntelShell, openIntelShell } from "./intel-shell.ts";

let shell: IntelShell;

beforeAll(async () => {
  shell = await openIntelShell();
  await shell.intel("client", "add", "Example Ltd", "--ref", "crm-1");
  const record = { name: "_dmarc.a.example.com", type: "TXT", value: "v=DMARC1; p=quarantine" } as const;
  const fix = { text: "Ask for quarantine.", record };
  for (const name of ["a.example.com", "b.example.com"]) {
    await shell.intel("domain", "add", name, "--client", "crm-1");
    shell.results.set(name, sight({ "auth.dmarc.policy": { status: "warn", observed: "It is none.", fix } }));
    shell.identity.time.pass(31_000);
    await shell.intel("domain", "check", name);
  }
});
afterAll(() => shell.close());

describe("hermod intel", () => {
  it("findings lists what to repair first, and finding the records to publish", async () => {
    const [heading, row = []] = await shell.rows("findings", "--client", "crm-1");
    expect(heading?.slice(0, 4)).toEqual(["CHECK", "SEVERITY", "GAIN", "DOMAINS"]);
    expect([row[0], row[1], row[3], row[4]]).toEqual(["auth.dmarc.policy", "warning", "2", "a.example.com"]);
    const { out } = await shell.intel("finding", "auth.dmarc.policy", "--domain", "b.example.com");
    expect(out).toContain('_dmarc.a.example.com. 3600 IN TXT "v=DMARC1; p=quarantine"');
    expect(out).not.toContain("a.example.com  Example");
  });

  it("history shows the score of each day, and mutes the muted checks", async () => {
    const { data } = await shell.json("history", "--domain", "a.example.com");
    expect(data).toHaveLength(30);
    expect(data.at(-1)).toMatchObject({ score: expect.any(Number), model_changed: false });
    await shell.intel("domain", "mute", "a.example.com", "auth.spf.all", "--for", "1d", "--reason", "known");
    const [, row = []] = await shell.rows("mutes");
    expect([row[0], row[1], row.at(-1)]).toEqual(["a.example.com", "auth.spf.all", "known"]);
  });

  it("blacklists shows unused lists, listings the subjects, and sources nothing yet", async () => {
    const { data } = await shell.json("blacklists");
    const zen = data.find(({ list }: { list: { id: string } }) => list.id === "spamhaus_zen");
    expect(zen).toMatchObject({ state: "not_configured" });
    // Lists of domains need a key or registration, and list organizational domains.
    const unused = ["--state", "not_configured"];
    const listings = await shell.json("listings", "--domain", "a.example.com", ...unused);
    expect(listings.data[0]).toMatchObject({ subject: "example.com", state: "not_configured" });
    expect((await shell.json("listings", "--state", "listed")).data).toEqual([]);
    expect((await shell.intel("sources", "--result", "fail")).out).toBe("No reports match.\n");
  });
});
