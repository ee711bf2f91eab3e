import type { oas31 } from "openapi3-ts";

/** Examples of Deliverability Intel for the OpenAPI document. */

const IDS = {
  workspace: "ws_01k9z4c3r8h2v6y0n5t7w1x3q9",
  client: "cl_01k9z4c3r8h2v6y0n5t7w1x3q9",
  domain: "dom_01k9z4c3r8h2v6y0n5t7w1x3q9",
} as const;

const one = (summary: string, value: unknown): oas31.ExamplesObject => ({ example: { summary, value } });
const page = (summary: string, data: unknown, more: object = {}) =>
  one(summary, { data: [data], has_more: false, next_cursor: null, ...more });

const workspace = {
  id: IDS.workspace,
  name: "Acme Agency",
  created_at: "2030-01-01T09:00:00Z",
  plan_limits: { clients: 10_000, domains: 10_000 },
  counts: { clients: 2, domains: 3, domains_by_status: { healthy: 2, critical: 1 }, listings_open: 1 },
  score_avg: 81.3,
  coverage_avg: 0.94,
  resolver: { kind: "configured", dnssec: true },
  revision: "hV2m0aPq7Zt1Rb5c",
};
export const workspacePageExamples = page("The workspace of the key", workspace);

const client = {
  id: IDS.client,
  workspace_id: IDS.workspace,
  name: "Nordwind AG",
  external_ref: "crm-4711",
  contact_emails: ["it@nordwind.example.com"],
  tags: ["retail"],
  notes: null,
  locale: "en-GB",
  timezone: "Europe/Berlin",
  status: "active",
  counts: { domains: 1, critical: 1, warning: 0 },
  score: 58,
  created_at: "2030-01-01T09:00:00Z",
  updated_at: "2030-01-01T09:00:00Z",
  revision: "kYx0m3Wq7Zt1Rb5c",
};
export const clientPageExamples = page("One client", client);
export const clientExamples = one("A new client", {
  ...client,
  counts: { domains: 0, critical: 0, warning: 0 },
  score: null,
});
export const newClientExamples = one("A client with your own reference", {
  name: "Nordwind AG",
  external_ref: "crm-4711",
  contact_emails: ["it@nordwind.example.com"],
  tags: ["retail"],
  locale: "en-GB",
  timezone: "Europe/Berlin",
});

const domain = {
  id: IDS.domain,
  workspace_id: IDS.workspace,
  client_id: IDS.client,
  name: "nordwind.example.com",
  name_unicode: "nordwind.example.com",
  role: "sending",
  status: "critical",
  score: 58,
  grade: "D",
  coverage: 0.94,
  score_model: "2",
  score_delta_7d: -4,
  dkim_selectors: ["s1"],
  sending_ips: ["192.0.2.25"],
  paused: false,
  tags: ["shop"],
  notes: null,
  checking: null,
  checked_at: "2030-01-31T09:00:00Z",
  next_check_at: "2030-01-31T15:00:00Z",
  last_error: null,
  last_error_parts: [],
  findings: { critical: 1, warning: 1, info: 2 },
  top_findings: [
    {
      check_id: "auth.dmarc.policy",
      severity: "critical",
      title: "DMARC asks for quarantine or rejection",
      gain: 6.5,
    },
  ],
  listings_open: 1,
  dmarc_report_address: "dmarc+k3v9t2m7@bounces.example.net",
  tls_report_address: "tls+k3v9t2m7@bounces.example.net",
  reported_at: null,
  hosted_by_hermod: false,
  created_at: "2030-01-01T09:00:00Z",
  updated_at: "2030-01-01T09:00:00Z",
  revision: "kYx0m3Wq7Zt1Rb5c",
};
export const domainPageExamples = page("One domain", domain);
export const domainExamples = one("A new domain", {
  ...domain,
  status: "pending",
  score: null,
  grade: null,
  coverage: null,
  score_model: null,
  score_delta_7d: null,
  checked_at: null,
  findings: { critical: 0, warning: 0, info: 0 },
  top_findings: [],
  listings_open: 0,
});
export const newDomainExamples = one("A sending domain", {
  client_id: IDS.client,
  name: "nordwind.example.com",
  role: "sending",
  dkim_selectors: ["s1"],
});

export const blacklistStatusExamples = page(
  "A listed address",
  {
    subject: "192.0.2.25",
    kind: "ip",
    domain_ids: [IDS.domain],
    list: {
      id: "spamcop",
      name: "SpamCop",
      zone: "bl.spamcop.net",
      weight: 5,
      terms_url: "https://www.spamcop.net/bl.shtml",
    },
    state: "listed",
    codes: [{ code: "127.0.0.2", meaning: "It has sent mail that users reported as spam." }],
    txt: "Blocked - see https://www.spamcop.net/bl.shtml?192.0.2.25",
    reason: null,
    first_seen_at: "2030-01-30T09:00:00Z",
    last_seen_at: "2030-01-31T09:00:00Z",
    checked_at: "2030-01-31T09:00:00Z",
    next_check_at: "2030-01-31T11:00:00Z",
    delist_url: "https://www.spamcop.net/bl.shtml",
  },
  { summary: { listed: 1, clean: 8, refused: 0, error: 0, unreliable: 0, pending: 0, not_configured: 5 } },
);

export const reportRequestExamples: oas31.ExamplesObject = {
  month: {
    summary: "A client's last 30 days as a PDF",
    value: {
      scope: { type: "client", id: IDS.client },
      format: "pdf",
      branding: { name: "Acme Agency", color: "#0b5394" },
    },
  },
  workspace: {
    summary: "The last 30 days of the workspace as JSON",
    value: { scope: { type: "workspace" } },
  },
};
