import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type IntelShell, openIntelShell } from "./intel-shell.ts";
import { runHermod } from "./run-hermod.ts";

let shell: IntelShell;
beforeAll(async () => {
  shell = await openIntelShell();
});
afterAll(() => shell.close());

describe("hermod intel workspace", () => {
  it("list shows the first one, add creates others, and rename renames them", async () => {
    expect(await shell.rows("workspace", "list")).toEqual([
      ["WORKSPACE", "NAME", "CLIENTS", "DOMAINS", "CRITICAL", "WARNING", "SCORE", "COVERAGE"],
      [expect.stringMatching(/^ws_/), "Default", "0", "0", "0", "0", "-", "-"],
    ]);
    const { code, out, err } = await shell.intel("workspace", "add", "Agency");
    const [, id = ""] = /^Created the workspace "Agency" \((ws_\w+)\)\.\n$/.exec(out) ?? [];
    expect([code, err]).toEqual([
      0,
      `To create a key for it: hermod key create --kind deliverability --workspace ${id}\n`,
    ]);
    expect((await shell.intel("workspace", "rename", id, "Acme")).out).toBe(
      `Renamed the workspace ${id} to "Acme".\n`,
    );
    const { data } = await shell.json("workspace", "list");
    expect(data).toMatchObject([{ name: "Default" }, { id, name: "Acme", counts: { clients: 0 } }]);
  });

  it("reports refusals", async () => {
    const unknown = await shell.intel("workspace", "rename", "ws_none", "Acme", "--json");
    expect([unknown.code, JSON.parse(unknown.err).error.code]).toEqual([1, "workspace.unknown"]);
    const { code, err } = await shell.intel("workspace", "add", "");
    expect([code, err]).toEqual([1, expect.stringContaining("/name")]);
  });
});

describe("hermod key create --workspace", () => {
  it("creates a key for it, and refuses other kinds", async () => {
    const { id: workspaceId } = await shell.json("workspace", "add", "With a key");
    const core = shell.identity.operator;
    const asked = ["key", "create", "--workspace", workspaceId, "--json"];
    const { out } = await runHermod([...asked, "--kind", "deliverability"], { core });
    expect(JSON.parse(out)).toMatchObject({ kind: "deliverability", workspace_id: workspaceId });
    const { code, err } = await runHermod(asked, { core });
    expect([code, JSON.parse(err).error.errors]).toMatchObject([1, [{ code: "field.conflict" }]]);
  });
});
