import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Dashboard, openDashboard } from "../harness/dashboard.ts";
import type { DnsZones } from "../harness/dns-server.ts";
import { type DnsWorld, openDnsWorld } from "../harness/dns-world.ts";
import { englishOf, expectTextsOfParts } from "../harness/text-parts.ts";

const DOMAIN = "example.com";

let dns: DnsWorld;
let world: Dashboard;
let accountId: string;
let token: string;
beforeAll(async () => {
  dns = await openDnsWorld(DOMAIN);
  world = await openDashboard({ dns: { beginSurvey: dns.beginSurvey } });
});
afterAll(async () => {
  await world.close();
  await dns.close();
});
beforeEach(async () => {
  dns.publish({});
  accountId = await world.identity.openAccount();
  token = (await world.identity.memberOf(accountId)).token;
});

const add = () => world.ask("POST", "/api/domains", { token, body: { domain: DOMAIN } });

interface Published {
  readonly name: string;
  readonly value: string;
}

function zonesOf(records: readonly Published[]): DnsZones {
  const valued = records.filter(({ value }) => value !== "");
  return Object.fromEntries(
    valued.map(({ name, value }) => [name, { TXT: [value.match(/.{1,255}/g) ?? []] }]),
  );
}

describe("domains, in the dashboard", () => {
  it("are added, published, checked, and verified", async () => {
    const { status, body } = await add();
    expect([status, body.status, body.may_send]).toEqual([201, "unverified", false]);
    dns.publish(zonesOf(body.records));
    const checked = await world.ask("POST", `/api/domains/${DOMAIN}/check`, { token });
    expect(checked.body).toMatchObject({
      status: "verified",
      may_send: true,
      verified_by: "dns",
      reasons: [],
    });
    expect(checked.body.records[0]).toMatchObject({
      key: "ownership",
      outcome: "right",
      found: [{ server: "ns1.example.com" }, { server: "ns2.example.com" }, { server: "" }],
    });
    const { records: _records, keys: _keys, ...listed } = checked.body;
    expect((await world.ask("GET", "/api/domains", { token })).body).toEqual({
      data: [listed],
      has_more: false,
    });
    expect((await world.ask("GET", `/api/domains/${DOMAIN}`, { token })).body).toEqual(checked.body);
    const events = await world.ask("GET", `/api/domains/${DOMAIN}/events`, { token });
    expect(events.body.data).toMatchObject([{ from: "unverified", to: "verified", domain: DOMAIN }]);
    const zone = await world.ask("GET", `/api/domains/${DOMAIN}/zone-file`, { token });
    expect(zone.body.zone_file).toContain("_hermod.example.com. 3600 IN TXT");
  });

  it("have each finding and reason in words and as codes with params", async () => {
    await add();
    const { body } = await world.ask("POST", `/api/domains/${DOMAIN}/check`, { token });
    const ownership = { code: "txt.missing", params: { name: `_hermod.${DOMAIN}` } };
    expect(body.records[0]).toMatchObject({ problem_parts: [ownership], note_parts: [], failure_parts: [] });
    expect(body.reason_texts[0]).toEqual({
      text: body.reasons[0],
      parts: [{ code: "domain.ownership" }, ownership],
    });
    expect(body.reason_texts.map(({ text }: { text: string }) => text)).toEqual(body.reasons);
    const codes = expectTextsOfParts(body);
    expect(codes).toEqual(expect.arrayContaining(["dmarc.missing", "domain.dkim"]));
    const { body: listed } = await world.ask("GET", "/api/domains", { token });
    expect(listed.data[0].reason_texts).toEqual(body.reason_texts);
  });

  it("have a result of a former release in words only", async () => {
    await add();
    await world.ask("POST", `/api/domains/${DOMAIN}/check`, { token });
    const account = world.identity.store.forAccount(accountId);
    await account.domains.change(DOMAIN, (domain) => ({
      domain: {
        ...domain,
        records: domain.records.map(({ problemParts: _, noteParts: __, ...record }) => record),
      },
      event: undefined,
    }));
    const { body } = await world.ask("GET", `/api/domains/${DOMAIN}`, { token });
    expect(body.records[0]).toMatchObject({
      problem: `There is no TXT record with the name _hermod.${DOMAIN}.`,
      problem_parts: [],
    });
    expect(body.reason_texts[0]).toEqual({ text: body.reasons[0], parts: [] });
    expect(body.reasons[0]).toBe(
      `The proof of ownership: ${englishOf([{ code: "txt.missing", params: { name: `_hermod.${DOMAIN}` } }])}`,
    );
  });

  it("are checked at most every ten seconds, and the answer has the next time", async () => {
    await add();
    await world.ask("POST", `/api/domains/${DOMAIN}/check`, { token });
    const again = await world.ask("POST", `/api/domains/${DOMAIN}/check`, { token });
    expect([again.status, again.problem.code, again.headers["retry-after"]]).toEqual([
      429,
      "domain.check_too_soon",
      "10",
    ]);
  });

  it("of another account answer 404, as if they did not exist", async () => {
    await add();
    const { account } = await world.identity.operator.accounts.createAccount({ name: "Other" });
    const stranger = (await world.identity.memberOf(account?.id ?? "")).token;
    for (const name of [DOMAIN, "never.example"]) {
      for (const [method, path, body] of [
        ["GET", `/api/domains/${name}`, undefined],
        ["GET", `/api/domains/${name}/zone-file`, undefined],
        ["GET", `/api/domains/${name}/events`, undefined],
        ["POST", `/api/domains/${name}/check`, undefined],
        ["POST", `/api/domains/${name}/rotate`, {}],
        ["DELETE", `/api/domains/${name}`, undefined],
      ] as const) {
        const answer = await world.ask(method, path, { token: stranger, ...(body && { body }) });
        expect([path, answer.status, answer.problem.code]).toEqual([path, 404, "domain.unknown"]);
      }
    }
    expect((await world.ask("GET", "/api/domains", { token: stranger })).body.data).toEqual([]);
  });

  it.each(["co.uk", "nodots", "a..b", "", "-.example"])("cannot have the name %j", async (domain) => {
    const { status, problem } = await world.ask("POST", "/api/domains", { token, body: { domain } });
    expect([status, problem.errors[0]?.pointer]).toEqual([422, "/domain"]);
  });

  it("get new keys and are removed", async () => {
    await add();
    const rotated = await world.ask("POST", `/api/domains/${DOMAIN}/rotate`, {
      token,
      body: { sign_after_hours: 1 },
    });
    expect(rotated.body.keys.map(({ state }: { state: string }) => state).toSorted()).toEqual([
      "signing",
      "signing",
      "upcoming",
      "upcoming",
    ]);
    expect((await world.ask("DELETE", `/api/domains/${DOMAIN}`, { token })).status).toBe(204);
    expect((await world.ask("GET", "/api/domains", { token })).body.data).toEqual([]);
  });
});

describe("senders, in the dashboard", () => {
  it("are requested, listed and removed", async () => {
    const asked = await world.ask("POST", "/api/senders", { token, body: { value: "News@Shop.example" } });
    expect(asked.body).toMatchObject({ kind: "address", value: "news@shop.example", verified_by: "" });
    expect(world.identity.mails("News@shop.example")).toHaveLength(1);
    const list = await world.ask("GET", "/api/senders", { token });
    expect(list.body.data).toEqual([asked.body]);
    const path = `/api/senders/${encodeURIComponent("news@shop.example")}`;
    expect((await world.ask("DELETE", path, { token })).status).toBe(204);
    const again = await world.ask("DELETE", path, { token });
    expect([again.status, again.problem.code]).toEqual([404, "sender.unknown"]);
  });

  it("must be addresses", async () => {
    for (const value of ["", "shop.example", "a@b@c", "x@"]) {
      const { status, problem } = await world.ask("POST", "/api/senders", { token, body: { value } });
      expect([status, problem.errors[0]?.pointer]).toEqual([422, "/value"]);
    }
  });
});
