import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect, it } from "vitest";
import {
  AddDomainResponseSchema,
  DomainSchema,
  GetDomainResponseSchema,
  RotateDomainResponseSchema,
} from "../../gen/hermod/domain/v1/domain_service_pb.ts";
import { runHermod } from "./run-hermod.ts";

const domain = create(DomainSchema, {
  accountId: "acc_1",
  name: "example.com",
  keys: [
    {
      selector: "hm1r",
      algorithm: "rsa-sha256",
      state: "signing",
      recordName: "hm1r._domainkey.example.com",
      recordValue: "v=DKIM1; k=rsa; p=AAAA",
      signsFrom: timestampFromDate(new Date("2030-01-01T00:00:00Z")),
    },
  ],
});

it("hermod domain show prints the record to publish", async () => {
  const core = { domains: { getDomain: async () => create(GetDomainResponseSchema, { domain }) } };
  const { out } = await runHermod(["domain", "show", "example.com"], { core });
  expect(out).toContain('hm1r._domainkey.example.com.  TXT  "v=DKIM1; k=rsa; p=AAAA"\n');
  expect(JSON.parse((await runHermod(["domain", "show", "example.com", "--json"], { core })).out)).toEqual({
    account_id: "acc_1",
    name: "example.com",
    keys: [
      {
        selector: "hm1r",
        algorithm: "rsa-sha256",
        state: "signing",
        signs_from: "2030-01-01T00:00:00.000Z",
        dns_record: { type: "TXT", name: "hm1r._domainkey.example.com", value: "v=DKIM1; k=rsa; p=AAAA" },
      },
    ],
  });
});

it("prints a record as quoted strings of 255 octets at most, which give the value when they are joined", async () => {
  const recordValue = `v=DKIM1; k=rsa; p=${"MIIBIjANBgkqhkiG9w0B".repeat(20).slice(0, 392)}`;
  const keys = domain.keys.map((key) => ({ ...key, recordValue }));
  const long = create(DomainSchema, { ...domain, keys });
  const core = { domains: { getDomain: async () => create(GetDomainResponseSchema, { domain: long }) } };
  const { out } = await runHermod(["domain", "show", "example.com"], { core });
  const strings = [...(/ TXT +(.*)$/m.exec(out)?.[1] ?? "").matchAll(/"([^"]*)"(?: |$)/g)].map(
    ([, text = ""]) => text,
  );
  expect(strings.map(({ length }) => length)).toEqual([255, recordValue.length - 255]);
  expect(strings.join("")).toBe(recordValue);
  const asJson = await runHermod(["domain", "show", "example.com", "--json"], { core });
  expect(JSON.parse(asJson.out).keys[0].dns_record.value).toBe(recordValue);
});

it("hermod domain add and rotate ask the core for what they were told", async () => {
  const asked: unknown[] = [];
  const core = {
    domains: {
      addDomain: async (request: unknown) => {
        asked.push(request);
        return create(AddDomainResponseSchema, { domain });
      },
      rotateDomain: async (request: unknown) => {
        asked.push(request);
        return create(RotateDomainResponseSchema, { domain });
      },
    },
  };
  await runHermod(["domain", "add", "example.com"], { core });
  await runHermod(["domain", "rotate", "example.com"], { core });
  await runHermod(["domain", "rotate", "example.com", "--after", "0"], { core });
  expect(asked).toEqual([
    { accountId: "", domain: "example.com" },
    { accountId: "", domain: "example.com", signAfterHours: 48 },
    { accountId: "", domain: "example.com", signAfterHours: 0 },
  ]);
});
