import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AlertShell, openAlertShell, PAGER } from "./alert-shell.ts";

const URL_TEXT = "https://chat.example.com/services/T1/B1/secret-path";

let shell: AlertShell;
beforeAll(async () => {
  shell = await openAlertShell();
});
afterAll(() => shell.close());

describe("hermod alert-target", () => {
  it("add reads the URL from standard input, and no command shows it", async () => {
    const added = await shell.hermodWith(`${URL_TEXT}\n`, "alert-target", "add", "slack", "ops", "-");
    expect([added.code, added.out]).toEqual([
      0,
      expect.stringMatching(/^Added the alert target atg_\w+\.\n$/),
    ]);
    const { data } = await shell.json("alert-target", "list");
    expect(data).toMatchObject([{ name: "ops", kind: "slack", host: "chat.example.com", state: "unused" }]);
    const [{ id = "" } = {}] = data;
    const shown = await shell.hermod("alert-target", "show", id);
    expect(shown.out).toContain("chat.example.com");
    expect(`${shown.out}${JSON.stringify(data)}`).not.toContain("secret-path");
    const target = await shell.identity.store.forAccount(shell.accountId).targets.find(id);
    expect(target?.url).toBe(URL_TEXT);
  });

  it("add and rotate show the secret of a webhook once", async () => {
    const added = await shell.hermod(
      ...["alert-target", "add", "webhook", "pager-hook", "https://hooks.example.com/a"],
      ...["--header", "X-Key: their-own-token", "--rate", "5"],
    );
    expect(added.out).toContain("whsec_");
    const { data } = await shell.json("alert-target", "list");
    const { id } = data.find(({ name }: { name: string }) => name === "pager-hook");
    const rotated = await shell.json("alert-target", "rotate", id, "--overlap", "60");
    expect(rotated.secret).toMatch(/^whsec_/);
    expect(rotated.secrets).toHaveLength(2);
    const shown = await shell.hermod("alert-target", "show", id);
    expect(shown.out).toContain("at most 5 requests per second");
    expect(shown.out).not.toMatch(/whsec_|their-own-token/);
  });

  it("change keeps settings without an option, and the values of headers", async () => {
    const { data } = await shell.json("alert-target", "list");
    const { id, revision } = data.find(({ name }: { name: string }) => name === "pager-hook");
    const changed = await shell.json("alert-target", "change", id, "--description", "The pager");
    expect(changed).toMatchObject({ name: "pager-hook", description: "The pager", rate_per_second: 5 });
    const target = await shell.identity.store.forAccount(shell.accountId).targets.find(id);
    expect(target).toMatchObject({ headers: [{ name: "X-Key", value: "their-own-token" }] });
    const stale = await shell.hermod("alert-target", "change", id, "--name", "x", "--if-revision", revision);
    expect([stale.code, stale.err]).toEqual([1, expect.stringContaining("Another client has changed")]);
    const cleared = await shell.json(
      "alert-target",
      "change",
      id,
      "--clear",
      "description",
      "rate",
      "header",
    );
    expect(cleared).toMatchObject({ description: "", rate_per_second: 10, headers: [] });
  });

  it("test fails with the answer of the target", async () => {
    const { data } = await shell.json("alert-target", "list");
    const tested = await shell.hermod("alert-target", "test", data[0].id);
    expect([tested.code, tested.out]).toEqual([1, "Not accepted: there is no network.\n"]);
  });

  it("remove is refused while a rule notifies the target, which the list of rules shows", async () => {
    const { data } = await shell.json("alert-target", "list");
    const [{ id = "" } = {}] = data;
    await shell.hermodWith(`${PAGER}  targets: [${id}]\n`, "alert-rule", "put", "-");
    expect((await shell.hermod("alert-rule", "list")).out).toContain(`oncall@example.net, ${id}`);
    const refused = await shell.hermod("alert-target", "remove", id);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("alert_rule pager")]);
    const removed = await shell.hermod("alert-target", "remove", id, "--force");
    expect(removed.out).toContain("alert_rule pager");
    expect((await shell.hermod("alert-target", "deliveries", id)).code).toBe(1);
  });
});
