import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sight } from "../harness/intel-world.ts";
import { type IntelShell, openIntelShell } from "./intel-shell.ts";

let shell: IntelShell;
let count = 0;
let domain: string;

beforeAll(async () => {
  shell = await openIntelShell();
  await shell.intel("client", "add", "Example Ltd", "--ref", "crm-1");
});
afterAll(() => shell.close());
beforeEach(() => {
  domain = `shop-${count++}.example.com`;
});

const add = (...options: string[]) => shell.json("domain", "add", domain, "--client", "crm-1", ...options);
const check = async () => {
  shell.identity.time.pass(31_000);
  return shell.intel("domain", "check", domain);
};

describe("hermod intel domain", () => {
  it("add watches a domain, and list shows its status", async () => {
    const { code, out, err } = await shell.intel("domain", "add", domain, "--client", "example ltd");
    const [, id = ""] = new RegExp(`^Watching ${domain} \\((dom_\\w+)\\)\\.\n$`).exec(out) ?? [];
    expect([code, err]).toEqual([0, `Result: hermod intel domain show ${id}\n`]);
    expect(await shell.rows("domain", "list", "--search", domain)).toEqual([
      ["DOMAIN", "STATUS", "SCORE", "GRADE", "COVERAGE", "FINDINGS", "BLACKLISTED", "CHECKED"],
      [domain, "pending", "-", "-", "-", "none", "0", "not yet"],
    ]);
    shell.results.set(domain, sight({ "auth.dmarc.policy": { status: "warn" } }));
    await check();
    const [, row = []] = await shell.rows("domain", "list", "--search", domain);
    expect(row.slice(0, 2)).toEqual([domain, "warning"]);
    expect(row[5]).toBe("1 warning");
    for (const [option, value] of [
      ["--client", "crm-1"],
      ["--status", "warning"],
      ["--finding", "auth.dmarc.policy"],
    ] as const)
      expect((await shell.json("domain", "list", option, value)).data).toMatchObject([{ id, name: domain }]);
    expect((await shell.json("domain", "list", "--status", "critical")).data).toEqual([]);
  });

  it("show prints findings by priority with zone file lines, and unmeasured checks", async () => {
    await add("--selector", "s1", "--ip", "8.8.8.8");
    const record = { name: `_dmarc.${domain}`, type: "TXT", value: "v=DMARC1; p=quarantine" } as const;
    const results = sight({
      "auth.dmarc.policy": {
        status: "fail",
        observed: "The policy is none.",
        expected: "It asks for quarantine.",
        fix: { text: "Ask for quarantine.", record },
      },
      "transport.tlsrpt": { status: "fail", observed: "There is no record." },
      "transport.starttls": { status: "error", observed: "mx.example.com has not answered.\u001b[2J" },
      "auth.dkim.key": { status: "not_tested", observed: "No selector is known." },
    });
    shell.results.set(domain, results);
    const { out } = await check();
    expect(await shell.intel("domain", "show", domain)).toMatchObject({ code: 0, out });
    const lines = out.split("\n");
    expect(lines[0]).toMatch(new RegExp(`^${domain}  critical  score \\d+ \\([A-F]\\), coverage \\d+ %$`));
    for (const fact of ["Client .*Example Ltd", "Role .*sending", "Selectors .*s1", "Sends from .*8.8.8.8"])
      expect(out).toMatch(new RegExp(`^  ${fact}`, "m"));
    expect(out).toContain(
      [
        "  critical  The DMARC policy is quarantine or reject (auth.dmarc.policy)",
        "    The policy is none.",
        "    Expected: It asks for quarantine.",
        "    Fix: Ask for quarantine.",
        `    _dmarc.${domain}. 3600 IN TXT "v=DMARC1; p=quarantine"`,
      ]
        .join("\n")
        .replace("(auth.dmarc.policy)", /\(auth\.dmarc\.policy\).*/.exec(out)?.[0] ?? ""),
    );
    expect(out).toMatch(/\(auth\.dmarc\.policy\) {2}\+[\d.]+ points/);
    const places = ["(auth.dmarc.policy)", "(transport.tlsrpt)", "Not measured", "transport.starttls"];
    expect(places.map((place) => out.indexOf(place))).toEqual(
      places.map((place) => out.indexOf(place)).toSorted((one, other) => one - other),
    );
    expect(out).toMatch(/^ {2}transport\.starttls +error +mx\.example\.com has not answered\.( \[2J)?$/m);
    expect(out).toMatch(/^ {2}auth\.dkim\.key +not tested +No selector is known\.$/m);
    expect(out).not.toContain("\u001b");
    const json = await shell.json("domain", "show", domain);
    expect(
      json.checks.find(({ id }: { id: string }) => id === "auth.dmarc.policy").fix.record.zone_file,
    ).toBe(`_dmarc.${domain}. 3600 IN TXT "v=DMARC1; p=quarantine"`);
  });

  it("edit changes only the given settings, pause and resume the state", async () => {
    await add("--selector", "s1", "--ip", "8.8.8.8", "--role", "receiving");
    expect(await shell.json("domain", "edit", domain, "--selector", "s2", "--selector", "s3")).toMatchObject({
      dkim_selectors: ["s2", "s3"],
      sending_ips: ["8.8.8.8"],
      role: "receiving",
      paused: false,
    });
    expect((await shell.intel("domain", "pause", domain)).out).toBe(`${domain} is paused.\n`);
    const edited = await shell.json("domain", "edit", domain, "--ip", "", "--role", "sending");
    expect(edited).toMatchObject({ sending_ips: [], paused: true, status: "paused" });
    expect((await shell.intel("domain", "resume", domain)).out).toBe(`${domain} is watched again.\n`);
    const other = await shell.json("client", "add", `Client of ${domain}`);
    const moved = await shell.json("domain", "edit", domain, "--client", other.id);
    expect([moved.client_id, moved.paused]).toEqual([other.id, false]);
  });

  it("mute and unmute a check", async () => {
    await add();
    shell.results.set(domain, sight({ "auth.dmarc.policy": { status: "warn" } }));
    await check();
    const muted = await shell.intel("domain", "mute", domain, "auth.dmarc.policy", "--for", "30d");
    expect(muted.out).toMatch(new RegExp(`^auth.dmarc.policy of ${domain} is muted until .* UTC\\.\n$`));
    expect((await shell.intel("domain", "show", domain)).out).toMatch(
      /\(auth\.dmarc\.policy\).* muted until/,
    );
    const told = await shell.intel("domain", "unmute", domain, "auth.dmarc.policy");
    expect(told.out).toBe(`auth.dmarc.policy of ${domain} is no longer muted.\n`);
    expect((await shell.intel("domain", "show", domain)).out).not.toContain("muted until");
  });

  it.each([
    [["auth.dmarc.policy"], "Give either --for or --until."],
    [["auth.dmarc.policy", "--for", "1d", "--until", "2030-01-01T00:00:00Z"], "Give either --for"],
    [["auth.dmarc.policy", "--for", "400d"], "`until` must be in the future, at most one year ahead."],
    [["auth.dmarc.colour", "--for", "1d"], "Unknown check."],
  ])("mute refuses %j", async (options, words) => {
    await add();
    const { code, err } = await shell.intel("domain", "mute", domain, ...options);
    expect([code, err]).toEqual([1, expect.stringContaining(words)]);
  });

  it("is found by its id, and in another script", async () => {
    domain = "bücher.example.com";
    const { id, name } = await add();
    expect(name).toBe("xn--bcher-kva.example.com");
    for (const named of [id, domain, name]) expect((await shell.json("domain", "show", named)).id).toBe(id);
    expect((await shell.intel("domain", "remove", domain)).out).toBe(`Stopped watching ${name}.\n`);
    for (const named of [id, domain, ""]) {
      const { code, err } = await shell.intel("domain", "show", named, "--json");
      expect([named, code, JSON.parse(err).error.code]).toEqual([named, 1, "watched_domain.unknown"]);
    }
  });

  it("add refuses an invalid domain, and a watched one", async () => {
    domain = "co.uk";
    await expect(add()).rejects.toThrow("co.uk is a public suffix");
    domain = "twin.example.com";
    await add();
    const { code, err } = await shell.intel("domain", "add", domain, "--client", "crm-1");
    expect([code, err]).toEqual([1, expect.stringContaining(`already watches ${domain}`)]);
    const without = await shell.intel("domain", "add", domain);
    expect([without.code, without.err]).toEqual([2, expect.stringContaining("--client <client>")]);
  });

  it("check requires an interval", async () => {
    await add();
    expect((await check()).code).toBe(0);
    const { code, err } = await shell.intel("domain", "check", domain);
    expect([code, err]).toEqual([1, expect.stringContaining("Try again in 30 seconds")]);
  });
});

describe("hermod intel changes", () => {
  it("shows changes, newest first, of all domains or of one", async () => {
    await add("--role", "sending");
    shell.results.set(domain, sight());
    await check();
    shell.results.set(domain, sight({ "auth.dmarc.policy": { status: "warn", observed: "It is none." } }));
    await check();
    const [heading, ...rows] = await shell.rows("changes", "--domain", domain);
    expect(heading).toEqual(["AT", "SEVERITY", "CHANGE", "DETAIL"]);
    expect(rows.map(([, ...cells]) => cells.slice(-2))).toEqual([
      ["finding.opened", expect.stringContaining("It is none.")],
      ["watched_domain.status_changed", `The status of ${domain} changed from healthy to warning.`],
      ["watched_domain.status_changed", `The status of ${domain} changed from pending to healthy.`],
    ]);
    const all = await shell.json("changes", "--limit", "1");
    expect([all.data.length, all.has_more]).toEqual([1, true]);
    expect(all.data[0]).toMatchObject({ domain, kind: "finding.opened", check_id: "auth.dmarc.policy" });
    const none = await shell.intel("changes", "--domain", "none.example.com", "--json");
    expect([none.code, JSON.parse(none.err).error.code]).toEqual([1, "watched_domain.unknown"]);
  });
});
