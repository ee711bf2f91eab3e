import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import {
  AddDomainResponseSchema,
  CheckDomainResponseSchema,
  DomainSchema,
  GetDomainResponseSchema,
  GetZoneFileResponseSchema,
  ListDomainEventsResponseSchema,
  ListDomainsResponseSchema,
  RemoveDomainResponseSchema,
  RotateDomainResponseSchema,
} from "../../gen/hermod/domain/v1/domain_service_pb.ts";
import { Fault } from "../../src/shared/fault.ts";
import { receivedText } from "../../src/shared/fault-text.ts";
import { runHermod } from "./run-hermod.ts";

const at = timestampFromDate(new Date("2030-01-01T00:00:00Z"));
const domain = create(DomainSchema, {
  accountId: "acc_1",
  name: "example.com",
  status: "verifying",
  statusSince: at,
  reasons: ["The DKIM key hm1r: There is no TXT record with the name hm1r._domainkey.example.com."],
  createdAt: at,
  checkedAt: at,
  nextCheckAt: at,
  dnsProvider: "Cloudflare",
  nameServers: ["ada.ns.cloudflare.com"],
  keys: [
    {
      selector: "hm1r",
      algorithm: "rsa-sha256",
      state: "signing",
      recordName: "hm1r._domainkey.example.com",
      recordValue: "v=DKIM1; k=rsa; p=AAAA",
      signsFrom: at,
    },
  ],
  records: [
    {
      key: "dkim:hm1r",
      purpose: "dkim",
      type: "TXT",
      name: "hm1r._domainkey.example.com",
      value: "v=DKIM1; k=rsa; p=AAAA",
      required: true,
      byOwner: true,
      outcome: "wrong",
      problem: "Another key stands there.",
      found: [
        { server: "ada.ns.cloudflare.com", values: ["v=DKIM1; p=\u001b[31mBBBB"], ttlSeconds: 300 },
        { server: "", failure: "no answer in time" },
      ],
      learnedAt: at,
    },
    {
      key: "return_path",
      purpose: "return_path",
      type: "CNAME",
      name: "hm-bounce.example.com",
      value: "bounce.hermod.test",
      byOwner: true,
      outcome: "unknown",
    },
  ],
});
const events = create(ListDomainEventsResponseSchema, {
  events: [
    {
      id: "dev_1",
      kind: "domain.status_changed",
      domain: "example.com",
      from: "unverified",
      to: "verifying",
      at,
    },
  ],
});
const core = {
  domains: {
    getDomain: async () => create(GetDomainResponseSchema, { domain }),
    listDomainEvents: async () => events,
    listDomains: async () => create(ListDomainsResponseSchema, { domains: [domain] }),
    getZoneFile: async () =>
      create(GetZoneFileResponseSchema, { zoneFile: '; Records\na. 3600 IN TXT "b"\n' }),
  },
};

describe("hermod domain show", () => {
  it("prints each record to publish, and the found ones, safe for a terminal", async () => {
    const { out } = await runHermod(["domain", "show", "example.com"], { core });
    expect(out).toBe(`example.com  verifying
  The DKIM key hm1r: There is no TXT record with the name hm1r._domainkey.example.com.
  May send    no
  Since       2030-01-01 00:00:00 UTC
  DNS at      Cloudflare (ada.ns.cloudflare.com)
  Checked     2030-01-01 00:00:00 UTC
  Next check  2030-01-01 00:00:00 UTC

DKIM keys
  hm1r  rsa-sha256  signing from 2030-01-01 00:00:00 UTC: its record must stay published

DKIM (required)  wrong
  hm1r._domainkey.example.com.  TXT  "v=DKIM1; k=rsa; p=AAAA"
  Another key stands there.
    ada.ns.cloudflare.com  v=DKIM1; p= [31mBBBB
    resolver               no answer in time

Return path (recommended)  unknown
  hm-bounce.example.com.  CNAME  bounce.hermod.test.

Changes
  2030-01-01 00:00:00 UTC  unverified -> verifying
`);
  });

  it("writes everything as JSON", async () => {
    const json = JSON.parse((await runHermod(["domain", "show", "example.com", "--json"], { core })).out);
    expect(json).toMatchObject({
      account_id: "acc_1",
      name: "example.com",
      status: "verifying",
      may_send: false,
      verified_by: null,
      dns_provider: "Cloudflare",
      name_servers: ["ada.ns.cloudflare.com"],
      keys: [
        {
          selector: "hm1r",
          algorithm: "rsa-sha256",
          state: "signing",
          signs_from: "2030-01-01T00:00:00.000Z",
          dns_record: { type: "TXT", name: "hm1r._domainkey.example.com", value: "v=DKIM1; k=rsa; p=AAAA" },
        },
      ],
      events: [
        { id: "dev_1", kind: "domain.status_changed", from: "unverified", to: "verifying", reasons: [] },
      ],
    });
    expect(json.records[0]).toEqual({
      key: "dkim:hm1r",
      purpose: "dkim",
      type: "TXT",
      name: "hm1r._domainkey.example.com",
      value: "v=DKIM1; k=rsa; p=AAAA",
      required: true,
      by_owner: true,
      outcome: "wrong",
      problem: "Another key stands there.",
      note: null,
      aliases: [],
      found: [
        {
          server: "ada.ns.cloudflare.com",
          values: ["v=DKIM1; p=\u001b[31mBBBB"],
          failure: null,
          ttl_seconds: 300,
        },
        { server: null, values: [], failure: "no answer in time", ttl_seconds: null },
      ],
      learned_at: "2030-01-01T00:00:00.000Z",
      right_at: null,
      failure: null,
      failed_at: null,
      is_lost: false,
      problem_parts: [],
      note_parts: [],
      failure_parts: [],
    });
  });

  it("prints a record as quoted strings of at most 255 octets, which join to the value", async () => {
    const value = `v=DKIM1; k=rsa; p=${"MIIBIjANBgkqhkiG9w0B".repeat(20).slice(0, 392)}`;
    const long = create(DomainSchema, {
      ...domain,
      records: domain.records.slice(0, 1).map((one) => ({ ...one, value })),
    });
    const ofLong = {
      domains: { ...core.domains, getDomain: async () => create(GetDomainResponseSchema, { domain: long }) },
    };
    const { out } = await runHermod(["domain", "show", "example.com"], { core: ofLong });
    const strings = [...(/ {2}TXT {2}(".*)$/m.exec(out)?.[1] ?? "").matchAll(/"([^"]*)"(?: |$)/g)].map(
      ([, text = ""]) => text,
    );
    expect(strings.map(({ length }) => length)).toEqual([255, value.length - 255]);
    expect(strings.join("")).toBe(value);
  });
});

it("hermod domain list shows the status of domains", async () => {
  const { out } = await runHermod(["domain", "list"], { core });
  expect(out).toBe(
    "DOMAIN       STATUS     MAY SEND  DNS AT      CHECKED\n" +
      "example.com  verifying  no        Cloudflare  2030-01-01 00:00:00 UTC\n",
  );
  const json = JSON.parse((await runHermod(["domain", "list", "--json"], { core })).out);
  expect(json).toMatchObject({ data: [{ name: "example.com", status: "verifying" }], has_more: false });
  expect(json.data[0]).not.toHaveProperty("records");
});

it("hermod domain zone-file writes it unchanged", async () => {
  const { out } = await runHermod(["domain", "zone-file", "example.com"], { core });
  expect(out).toBe('; Records\na. 3600 IN TXT "b"\n');
});

it("hermod domain add, check, rotate and remove pass on their arguments", async () => {
  const asked: unknown[] = [];
  const note =
    <T>(name: string, response: T) =>
    async (request: object) => {
      asked.push([name, request]);
      return response;
    };
  const noting = {
    domains: {
      addDomain: note("add", create(AddDomainResponseSchema, { domain })),
      checkDomain: note("check", create(CheckDomainResponseSchema, { domain })),
      rotateDomain: note("rotate", create(RotateDomainResponseSchema, { domain })),
      removeDomain: note("remove", create(RemoveDomainResponseSchema)),
    },
  };
  for (const command of ["add", "check", "rotate", "rotate --after 0", "remove"]) {
    const [name = "", ...options] = command.split(" ");
    const { code } = await runHermod(["domain", name, "example.com", ...options], { core: noting });
    expect(code).toBe(0);
  }
  const request = { accountId: "", domain: "example.com" };
  expect(asked).toEqual([
    ["add", request],
    ["check", request],
    ["rotate", { ...request, signAfterHours: 48 }],
    ["rotate", { ...request, signAfterHours: 0 }],
    ["remove", { ...request, force: false }],
  ]);
});

it("hermod domain check shows when another check is allowed", async () => {
  const checkDomain = async () => {
    throw new Fault("domain.check_too_soon", {
      public: receivedText("Ask again in 7 seconds."),
      retryAfterSeconds: 7,
    });
  };
  const { code, err } = await runHermod(["domain", "check", "example.com"], {
    core: { domains: { checkDomain } },
  });
  expect(code).toBe(1);
  expect(err).toContain("in 7 seconds");
});
