import { readFileSync } from "node:fs";
import path from "node:path";

const DOCUMENT = path.resolve(import.meta.dirname, "../../gen/dashboard-openapi.json");
const DAY_MS = 86_400_000;
/** They say which page, not which entries. */
const PAGING = new Set(["limit", "cursor"]);

/**
 * @typedef {object} ListRoute
 * @property {string} path with its parameters, as `/api/jobs/{job_id}/results`
 * @property {boolean} isPaged
 * @property {any[]} parameters
 */

/** The lists of the session API, from the document that its contracts generate: a new list is among them. @returns {ListRoute[]} */
export function listRoutes() {
  const document = JSON.parse(readFileSync(DOCUMENT, "utf8"));
  const resolved = (/** @type {any} */ node) => {
    let found = node;
    while (found?.$ref)
      found = found.$ref
        .split("/")
        .slice(1)
        .reduce((/** @type {any} */ inner, /** @type {string} */ name) => inner[name], document);
    return found;
  };
  return Object.entries(document.paths).flatMap(([route, { get }]) => {
    const body = resolved(get?.responses?.["200"]?.content?.["application/json"]?.schema);
    if (body?.properties?.data === undefined) return [];
    const parameters = (get.parameters ?? [])
      .map(resolved)
      .map((/** @type {any} */ one) => ({ ...one, schema: resolved(one.schema) }));
    return [{ path: route, isPaged: "next_cursor" in body.properties, parameters }];
  });
}

/** Samples of parameters that mean the same on every list. @param {import("./fill-lists.js").Filled} filled */
const sharedSamples = (filled) => ({
  from: [new Date(Date.now() - 10 * DAY_MS).toISOString()],
  until: [new Date(Date.now() - 10 * DAY_MS).toISOString()],
  trace_id: [filled.traceId],
  message_id: [filled.messageId],
  key_id: [filled.keyId],
  search: ["a", "4711", "none of them"],
  recipient: ["@mail7.example", "person17", "none@nowhere.example"],
  subject: ["receipt", "none"],
  workspace_id: [filled.workspaceId],
  client_id: [filled.clientId],
  domain_id: [filled.watchId],
  rule: ["pager", "none"],
  text: ["disk", "none of them"],
});

/** Samples that differ by list, by `path parameter`. @param {import("./fill-lists.js").Filled} filled @returns {Record<string, readonly string[]>} */
const ownSamples = (filled) => ({
  "/api/keys query": ["shop", "4711", "none of them"],
  "/api/keys/{key_id}/uses days": ["90"],
  "/api/audit actor_id": [filled.userId, "usr_none"],
  "/api/audit action": ["key", "key.create", "backup"],
  "/api/audit target_id": [filled.keyId],
  "/api/requests method": ["POST", "GET"],
  "/api/requests route": ["/v1/email/send"],
  "/api/requests status": ["422", "2xx"],
  "/api/requests code": ["request.validation_failed"],
  "/api/messages sender": ["order@shop1.example"],
  "/api/messages tag": ["tag3", "all"],
  "/api/messages metadata": ["order=4711"],
  "/api/messages routing_policy": ["default", "rare"],
  "/api/messages template": ["template-1"],
  "/api/messages category": ["spam"],
  "/api/messages provider": ["mail7.example"],
  "/api/messages q": [
    "order",
    "order shipped receipt",
    "@shop1.example state:bounced tag:all",
    "shop1 shop2",
  ],
  "/api/suppressions address": ["person17@mail17.example"],
  "/api/suppressions domain": ["mail17.example"],
  "/api/suppressions policy": ["default"],
  "/api/webhooks/{endpoint_id}/deliveries state": ["failed", "delivered"],
  "/api/webhook-deliveries endpoint_id": [filled.endpointId],
  "/api/webhook-deliveries state": ["failed", "delivered"],
  "/api/webhook-deliveries type": ["message.delivered"],
  "/api/webhook-deliveries status": ["2xx", "5xx"],
  "/api/webhook-deliveries event_id": ["evt_none"],
  "/api/intel/clients tag": ["tag3"],
  "/api/intel/clients external_ref": [filled.externalRef],
  "/api/intel/domains id": [filled.watchId],
  "/api/intel/domains name": [filled.watchName],
  "/api/intel/domains tag": ["tag3"],
  "/api/intel/domains finding": ["auth.spf.exists"],
  "/api/intel/reports scope_id": [filled.clientId],
  // The data has no report, and nothing on a blacklist.
  "/api/intel/report-links report_id": [],
  "/api/intel/blacklists/status ip": [],
  "/api/intel/blacklists/status domain": [],
  "/api/intel/blacklists/status list": ["spamhaus_zen"],
  "/api/on-call-schedules/{name}/shifts from": [new Date().toISOString()],
  "/api/on-call-schedules/{name}/shifts until": [new Date(Date.now() + 10 * DAY_MS).toISOString()],
  "/api/on-call name": [filled.onCall],
  "/api/on-call user_id": [filled.userId],
  "/api/heartbeats tag": ["tag3"],
  "/api/incidents assignee": [filled.userId, "none"],
  "/api/alerts source": ["node-17"],
  "/api/alerts incident_id": ["inc_none"],
});

/**
 * Questions to a list: its first page, its largest page, and a page by each filter alone.
 * @param {ListRoute} route
 * @param {import("./fill-lists.js").Filled} filled
 * @returns {{ name: string, url: string }[]}
 */
export function questionsOf({ path: route, parameters, isPaged }, filled) {
  const samples = { ...sharedSamples(filled) };
  const own = ownSamples(filled);
  let base = route;
  /** @type {[string, string][]} */
  const needed = [];
  /** @type {[string, string][]} */
  const filters = isPaged ? [["limit", "100"]] : [];
  for (const { name, in: where, required, description, schema } of parameters) {
    if (PAGING.has(name)) continue;
    if (where === "path") {
      base = base.replace(`{${name}}`, encodeURIComponent(pathSample(name, route, filled)));
      continue;
    }
    const values =
      own[`${route} ${name}`] ??
      (schema.items ?? schema).enum ??
      samples[/** @type {keyof typeof samples} */ (name)];
    if (!values) throw new Error(`bench/lib/list-samples.js has no sample of ${name} of ${route}.`);
    for (const value of values) filters.push([name, value]);
    // A field that depends on another one is optional in the schema, and required by its description.
    if (required || / Required\.$/.test(description ?? schema.description ?? ""))
      needed.push([name, values[0]]);
  }
  const url = (/** @type {[string, string][]} */ query) =>
    query.length === 0 ? base : `${base}?${new URLSearchParams(query)}`;
  return [
    { name: "first page", url: url(needed) },
    ...filters.map((filter) => ({
      name: filter.join(" "),
      url: url([...needed.filter(([name]) => name !== filter[0]), filter]),
    })),
  ];
}

/** @param {string} name @param {string} route @param {import("./fill-lists.js").Filled} filled */
function pathSample(name, route, filled) {
  const [, , kind = ""] = route.split("/");
  /** @type {Record<string, string>} */
  const samples = {
    key_id: filled.keyId,
    job_id: filled.jobId,
    domain: filled.domain,
    template: filled.template,
    message_id: route.startsWith("/api/sandbox/") ? filled.capturedId : filled.messageId,
    endpoint_id: filled.endpointId,
    policy: filled.policy,
    target_id: filled.targetId,
    heartbeat_id: filled.heartbeatId,
    check_id: "auth.spf.exists",
    name: { inhibitions: filled.inhibition, "on-call-schedules": filled.onCall }[kind] ?? filled.rule,
  };
  const sample = samples[name];
  if (sample === undefined)
    throw new Error(`bench/lib/list-samples.js has no sample of {${name}} in a path.`);
  return sample;
}
