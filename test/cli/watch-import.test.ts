import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type IntelShell, openIntelShell } from "./intel-shell.ts";

let shell: IntelShell;
let folder: string;

beforeAll(async () => {
  shell = await openIntelShell();
  folder = await mkdtemp(path.join(tmpdir(), "hermod-import-"));
});
afterAll(async () => {
  await shell.close();
  await rm(folder, { recursive: true });
});

it("shows the refused rows by their number, and begins a job when it is confirmed", async () => {
  const file = path.join(folder, "domains.csv");
  await writeFile(file, "client,domain,colour\nExample Ltd,a.example.com,red\nExample Ltd,co.uk,\n");
  const asked = await shell.intel("import", file);
  expect(asked.code).not.toBe(0);
  expect(asked.err).toContain("Domains to add: 1. Clients to create: 1. Domains already there: 0.");
  expect(asked.err).toContain("Refused rows: 1.");
  expect(asked.err).toContain("row 3  co.uk  domain: ");
  expect(asked.err).toContain('Ignored columns: "colour".');
  expect(await shell.json("domain", "list")).toMatchObject({ data: [] });
  const begun = await shell.json("import", file, "--yes", "--detach");
  expect(begun).toMatchObject({ kind: "watched_domain.import", state: "queued" });
});

it("removes a client, and with domains only when they are included", async () => {
  await shell.intel("client", "add", "Gone");
  expect((await shell.intel("client", "remove", "Gone")).out).toBe('Removed the client "Gone".\n');
  await shell.intel("client", "add", "Full");
  await shell.intel("domain", "add", "b.example.com", "--client", "Full");
  const refused = await shell.intel("client", "remove", "Full");
  expect([refused.code, refused.err]).toEqual([expect.any(Number), expect.stringContaining("with_domains")]);
  const { out } = await shell.intel("client", "remove", "Full", "--with-domains");
  expect(out).toMatch(/^The client "Full" is being removed: hermod job watch job_\w+\n$/);
});
