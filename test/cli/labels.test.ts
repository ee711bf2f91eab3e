import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pngOf } from "../harness/png.ts";
import { type IntelShell, openIntelShell } from "./intel-shell.ts";

let shell: IntelShell;
let folder: string;
beforeAll(async () => {
  shell = await openIntelShell();
  await shell.intel("client", "add", "Nordwind AG", "--ref", "crm-1");
  folder = await mkdtemp(path.join(tmpdir(), "hermod-labels-"));
});
afterAll(async () => {
  await shell.close();
  await rm(folder, { recursive: true });
});

const label = (...argv: string[]) => shell.intel("label", ...argv);
const json = (...argv: string[]) => shell.json("label", ...argv);

describe("hermod intel label", () => {
  it("set keeps what it does not name, for the workspace and for a client", async () => {
    const logo = path.join(folder, "logo.png");
    await writeFile(logo, pngOf({ width: 40, height: 10 }));
    const made = await json("set", "--name", "Agency", "--color", "#ffff00", "--logo", logo);
    expect(made).toMatchObject({ scope: "workspace", logo: { width: 40, height: 10 } });
    expect(await json("set", "--name", "Agency 2")).toMatchObject({
      name: "Agency 2",
      color: "#ffff00",
      logo: { width: 40 },
    });
    const shown = (await label("show")).out;
    expect(shown).toContain("Agency 2");
    expect(shown).toContain("40 x 10");
    await label("set", "--client", "crm-1", "--name", "Nordwind");
    const rows = await shell.rows("label", "list");
    expect(rows.map(([, ...cells]) => cells)).toEqual([
      ["NAME", "COLOR", "LOGO"],
      ["Nordwind", "-", "none"],
      ["Agency 2", "#ffff00", "40 x 10"],
    ]);
    expect(await json("set", "--logo", "", "--color", "")).toMatchObject({ color: null, logo: null });
  });

  it("refuses a file that is no PNG, and a change of another revision", async () => {
    const file = path.join(folder, "logo.svg");
    await writeFile(file, "<svg/>");
    const refused = await label("set", "--client", "crm-1", "--logo", file);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("must be a PNG")]);
    const stale = await label("set", "--client", "crm-1", "--name", "x", "--if-revision", "other", "--json");
    expect([stale.code, JSON.parse(stale.err).error.code]).toEqual([1, "resource.stale"]);
  });

  it("remove ends a label", async () => {
    await label("set", "--client", "crm-1", "--name", "Nordwind");
    expect((await label("remove", "--client", "crm-1")).out).toMatch(/^Removed the label of cl_\w+\.\n$/);
    const { code, err } = await label("show", "--client", "crm-1", "--json");
    expect([code, JSON.parse(err).error.code]).toEqual([1, "label.unknown"]);
  });
});
