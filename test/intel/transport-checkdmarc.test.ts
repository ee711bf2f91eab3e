import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findTlsRpt } from "../../src/intel/transport/find-tls-rpt.ts";
import { parseTlsRpt } from "../../src/intel/transport/tls-rpt-record.ts";
import { matchesMx } from "../../src/transport-security/mta-sts/matches-mx.ts";
import { parsePolicy } from "../../src/transport-security/mta-sts/policy.ts";
import { policyId } from "../../src/transport-security/mta-sts/policy-id.ts";
import { askCheckdmarc } from "../harness/ask-checkdmarc.ts";
import { type DnsServer, type DnsZones, startDnsServer } from "../harness/dns-server.ts";
import { probeServer } from "../harness/probe-zones.ts";
import { tool } from "../harness/tools.ts";

const checkdmarc = tool("checkdmarc");

/** The policy is in a TXT record of a separate name, in hexadecimal: checkdmarc fetches only over port 443. */
const VERDICT = `
from checkdmarc.mta_sts import parse_mta_sts_policy, parse_mta_sts_record, query_mta_sts_record, mx_in_mta_sts_patterns
from checkdmarc.smtp_tls_reporting import check_smtp_tls_reporting
from checkdmarc.utils import query_dns

def sts_id(domain, asked):
    try:
        record = query_mta_sts_record(domain, **asked)["record"]
        return parse_mta_sts_record(record)["tags"]["id"]
    except Exception:
        return None

def sts_policy(domain, asked):
    try:
        text = bytes.fromhex(query_dns("policy." + domain, "TXT", **asked)[0]).decode("utf-8")
        policy = parse_mta_sts_policy(text)["policy"]
        named = mx_in_mta_sts_patterns("mx.example.test", policy["mx"])
        return [policy["mode"], policy["max_age"], named]
    except Exception:
        return None

def tls_rpt(domain, asked):
    found = check_smtp_tls_reporting(domain, **asked)
    return found["tags"]["rua"]["value"] if found["valid"] and "rua" in found["tags"] else None

def verdict(domain, **asked):
    return {"id": sts_id(domain, asked), "policy": sts_policy(domain, asked), "rua": tls_rpt(domain, asked)}
`;

/** Null: there is none that senders use. */
interface Verdict {
  readonly id: string | null;
  readonly policy: [mode: string, maxAgeSeconds: number, isNamed: boolean] | null;
  readonly rua: readonly string[] | null;
}

let server: DnsServer;
beforeAll(async () => {
  server = await startDnsServer();
});
afterAll(() => server.close());

async function ours(domain: string, policy: string): Promise<Verdict> {
  const dns = probeServer(server, { retryMs: 300, tries: 2, timeoutMs: 1_000 });
  const { answer } = await dns.lookUp(`_mta-sts.${domain}`, "TXT");
  const { records } = await findTlsRpt(domain, dns);
  const parsed = records.length === 1 ? parseTlsRpt(records[0] ?? "") : undefined;
  return {
    id: (answer.kind === "records" && policyId(answer.records)) || null,
    policy: readPolicy(policy),
    rua: parsed && "uris" in parsed && parsed.unusable.length === 0 ? parsed.uris : null,
  };
}

function readPolicy(text: string): Verdict["policy"] {
  try {
    const { mode, mx, maxAgeSeconds } = parsePolicy(Buffer.from(text));
    return [mode, maxAgeSeconds, matchesMx("mx.example.test", mx)];
  } catch {
    return null;
  }
}

type Case = { readonly sts?: readonly string[]; readonly policy?: string; readonly rpt?: readonly string[] };

const lines = (...all: string[]) => all.map((line) => `${line}\r\n`).join("");
const policy = (...all: string[]): Case => ({ policy: lines("version: STSv1", ...all) });
const sts = (...all: string[]): Case => ({ sts: all });
const rpt = (...all: string[]): Case => ({ rpt: all });

const CASES: Readonly<Record<string, Case>> = {
  nothing: {},
  "record: plain": sts("v=STSv1; id=20260101;"),
  "record: without the last semicolon": sts("v=STSv1; id=20260101"),
  "record: a space before the semicolon": sts("v=STSv1 ; id=1;"),
  "record: no space": sts("v=STSv1;id=1"),
  "record: two": sts("v=STSv1; id=1;", "v=STSv1; id=2;"),
  "record: two, of which one is malformed": sts("v=STSv1; id=1;", "v=STSv1;"),
  "record: beside others": sts("v=STSv1; id=1;", "x", "v=spf1 -all"),
  "record: no id": sts("v=STSv1;"),
  "record: an id with a hyphen": sts("v=STSv1; id=1-1;"),
  "record: an empty id": sts("v=STSv1; id=;"),
  "record: an id of 32 characters": sts(`v=STSv1; id=${"a".repeat(32)};`),
  "record: an id of 33 characters": sts(`v=STSv1; id=${"a".repeat(33)};`),
  "record: a second id": sts("v=STSv1; id=1; id=2;"),
  "record: an id in capitals": sts("v=STSv1; ID=1;"),
  "record: an extension": sts("v=STSv1; id=1; x.y-z_=a:b;"),
  "record: an extension without value": sts("v=STSv1; id=1; x=;"),
  "record: spaces around the equals sign": sts("v=STSv1; id = 1;"),
  "record: small letters": sts("v=stsv1; id=1;"),
  "record: another version": sts("v=STSv2; id=1;"),
  "record: a space at the beginning": sts(" v=STSv1; id=1;"),
  "record: an empty part": sts("v=STSv1;; id=1;"),
  "policy: enforce": policy("mode: enforce", "mx: mx.example.test", "max_age: 86400"),
  "policy: a wildcard": policy("mode: testing", "mx: *.example.test", "max_age: 86400"),
  "policy: a wildcard of two labels": policy("mode: testing", "mx: *.test", "max_age: 86400"),
  "policy: a wildcard in the middle": policy("mode: testing", "mx: mx.*.test", "max_age: 86400"),
  "policy: capitals in a name": policy("mode: enforce", "mx: MX.Example.test", "max_age: 86400"),
  "policy: a name with a dot at its end": policy("mode: enforce", "mx: mx.example.test.", "max_age: 86400"),
  "policy: line feeds alone": { policy: "version: STSv1\nmode: none\nmax_age: 1\n" },
  "policy: no mx": policy("mode: enforce", "max_age: 86400"),
  "policy: none, and no mx": policy("mode: none", "max_age: 86400"),
  "policy: no mode": policy("mx: mx.example.test", "max_age: 86400"),
  "policy: another mode": policy("mode: report", "mx: mx.example.test", "max_age: 86400"),
  "policy: a mode in capitals": policy("mode: Enforce", "mx: mx.example.test", "max_age: 86400"),
  "policy: a key in capitals": policy("Mode: enforce", "mx: mx.example.test", "max_age: 86400"),
  "policy: no max_age": policy("mode: enforce", "mx: mx.example.test"),
  "policy: a max_age of a year": policy("mode: enforce", "mx: mx.example.test", "max_age: 31557600"),
  "policy: a max_age of more": policy("mode: enforce", "mx: mx.example.test", "max_age: 31557601"),
  "policy: a max_age in words": policy("mode: enforce", "mx: mx.example.test", "max_age: 1w"),
  "policy: a mode twice": policy("mode: none", "mode: enforce", "mx: mx.example.test", "max_age: 1"),
  "policy: an extension": policy("mode: none", "max_age: 1", "x-y: a b"),
  "policy: a line without colon": policy("mode: none", "max_age: 1", "hello"),
  "policy: an empty line in the middle": policy("mode: none", "", "max_age: 1"),
  "policy: a space before the colon": policy("mode : none", "max_age: 1"),
  "policy: no version": { policy: lines("mode: none", "max_age: 1") },
  "policy: the version last": { policy: lines("mode: none", "max_age: 1", "version: STSv1") },
  "reports: mailto": rpt("v=TLSRPTv1; rua=mailto:a@b.test"),
  "reports: https": rpt("v=TLSRPTv1;rua=https://b.test/tls?x=y"),
  "reports: several": rpt("v=TLSRPTv1; rua=mailto:a@b.test , https://b.test/tls;"),
  "reports: two records": rpt("v=TLSRPTv1; rua=mailto:a@b.test", "v=TLSRPTv1; rua=mailto:c@b.test"),
  "reports: beside others": rpt("v=TLSRPTv1; rua=mailto:a@b.test", "x"),
  "reports: no rua": rpt("v=TLSRPTv1;"),
  "reports: an extension alone": rpt("v=TLSRPTv1; x=y"),
  "reports: an extension": rpt("v=TLSRPTv1; rua=mailto:a@b.test; x=y"),
  "reports: a second rua": rpt("v=TLSRPTv1; rua=mailto:a@b.test; rua=mailto:c@b.test"),
  "reports: small letters": rpt("v=tlsrptv1; rua=mailto:a@b.test"),
  "reports: RUA": rpt("v=TLSRPTv1; RUA=mailto:a@b.test"),
  "reports: spaces around the equals sign": rpt("v=TLSRPTv1; rua = mailto:a@b.test"),
  "reports: http": rpt("v=TLSRPTv1; rua=http://b.test/"),
  "reports: no scheme": rpt("v=TLSRPTv1; rua=a@b.test"),
  "reports: an exclamation mark": rpt("v=TLSRPTv1; rua=mailto:a@b.test!10m"),
  "reports: a part that is none": rpt("v=TLSRPTv1; rua=mailto:a@b.test; x"),
};

interface Difference {
  readonly ours: Partial<Verdict>;
  readonly theirs: Partial<Verdict>;
  /** The section that Hermod follows. */
  readonly why: string;
}

const DIFFERENCES: Readonly<Record<string, Difference>> = {
  "policy: an empty line in the middle": {
    ours: { policy: null },
    theirs: { policy: ["none", 1, false] },
    why: "RFC 8461 section 3.2: each line is a field, and none of them is empty",
  },
};

const NONE: Verdict = { id: null, policy: null, rua: null };

describe.skipIf(checkdmarc.missing)(`checkdmarc${checkdmarc.note}`, () => {
  async function compare(cases: readonly (readonly [string, Case])[]) {
    const domains = cases.map((_, index) => `case${index}.example`);
    const zones = cases.map(([, one], index): DnsZones => {
      const domain = domains[index] ?? "";
      const hex = Buffer.from(one.policy ?? "").toString("hex");
      return {
        [domain]: { TXT: ["x"] },
        [`policy.${domain}`]: { TXT: [hex.match(/.{1,250}/g) ?? [""]] },
        ...(one.sts && { [`_mta-sts.${domain}`]: { TXT: one.sts } }),
        ...(one.rpt && { [`_smtp._tls.${domain}`]: { TXT: one.rpt } }),
      };
    });
    server.serve(Object.assign({}, ...zones));
    const verdicts = new Map(await askCheckdmarc<Verdict>(server, domains, VERDICT));
    return Promise.all(
      cases.map(async ([name, one], index) => {
        const domain = domains[index] ?? "";
        return { name, ours: await ours(domain, one.policy ?? ""), theirs: verdicts.get(domain) };
      }),
    );
  }

  it("has the same results for MTA-STS and TLS-RPT, except for the known differences", async () => {
    const found = await compare(Object.entries(CASES));
    const differing = found.flatMap(({ name, ours: mine, theirs }) => {
      const difference = DIFFERENCES[name];
      if (!difference) expect([name, theirs]).toEqual([name, mine]);
      else
        expect([name, mine, theirs]).toEqual([
          name,
          { ...NONE, ...difference.ours },
          { ...NONE, ...difference.theirs },
        ]);
      return difference ? [name] : [];
    });
    expect(differing.sort()).toEqual(Object.keys(DIFFERENCES).sort());
  }, 60_000);

  it("has the same results for random policies", async () => {
    const line = fc.constantFrom(
      ...["mode: enforce", "mode: testing", "mode: none", "mode: x", "max_age: 86400", "max_age: 99999999"],
      ...[
        "mx: mx.example.test",
        "mx: *.example.test",
        "mx: other.test",
        "mx: *",
        "x: y",
        "version: STSv1",
        "oops",
      ],
    );
    const some = fc.sample(fc.array(line, { maxLength: 6 }), { numRuns: 200, seed: 8461 });
    const cases = some.map((all): [string, Case] => [all.join(" | "), policy(...all)]);
    for (const { name, ours: mine, theirs } of await compare(cases))
      expect([name, theirs]).toEqual([name, mine]);
  }, 60_000);
});
