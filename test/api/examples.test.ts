import { afterAll, beforeAll, expect, it } from "vitest";
import { openApiDocument } from "../../contracts/openapi.ts";
import { email, post, untilReported } from "../harness/http.ts";
import { type Hermod, startHermod } from "../harness/start-hermod.ts";
import { freePort } from "../harness/tcp-proxy.ts";

/** The part of the document that this test checks. */
interface Document {
  readonly paths: Record<string, { readonly post?: Operation }>;
  readonly components: {
    readonly schemas: { readonly [Name in "SendEmailRequest" | "Alert"]: RequestSchema };
  };
}
interface Operation {
  readonly parameters: readonly { readonly name: string; readonly schema: { readonly examples: string[] } }[];
  readonly requestBody?: {
    readonly content: {
      readonly "application/json": { readonly examples: Record<string, { value: unknown }> };
    };
  };
}
interface RequestSchema {
  readonly properties: Record<string, { readonly examples?: readonly unknown[] }>;
}

const examplesOf = (operation: Operation | undefined) =>
  operation?.requestBody?.content["application/json"].examples ?? {};

/** The list of examples. The running server decides their contents. */
const written = openApiDocument({ now: new Date() }) as unknown as Document;
const bodies = Object.entries(written.paths).flatMap(([path, { post: operation }]) =>
  Object.keys(examplesOf(operation)).map((name) => ({ path, name })),
);
const examplesOfFields = ({ properties }: RequestSchema) =>
  Object.entries(properties).flatMap(([field, { examples = [] }]) =>
    examples.map((example) => ({ field, example })),
  );
const fields = examplesOfFields(written.components.schemas.SendEmailRequest);
const alertFields = examplesOfFields(written.components.schemas.Alert);

let hermod: Hermod;
let served: Document;

/** A Hermod with the resources that the examples name. */
beforeAll(async () => {
  const port = String(await freePort());
  // Base of the links in tracked mail.
  const settings = { HERMOD_HTTP_PORT: port, HERMOD_BASE_URL: `http://127.0.0.1:${port}` };
  hermod = await startHermod({ settings });
  const { policies, templates } = hermod.core;
  const transports = [{ kind: { case: "sandbox" as const, value: {} } }];
  await policies.putPolicy({ policy: { name: "transactional", transports } });
  const from = "hello@example.com";
  await templates.putTemplate({ template: { name: "welcome", from, subject: "S", text: "Hi {{ name }}" } });
  served = (await (await fetch(`${hermod.firstRun.base_url}/openapi.json`)).json()) as Document;
});
afterAll(() => hermod.dispose());

const INTEL = "/api/deliverability/v1";
const [ofIntel, ofMail] = [true, false].map((isIntel) =>
  bodies.filter(({ path }) => path.startsWith(INTEL) === isIntel),
) as [typeof bodies, typeof bodies];

/** Resources that the examples name by id exist with another id. */
async function withOwnIds(example: unknown): Promise<string> {
  const { core } = hermod;
  const [client = (await core.workspaces.createClient({ settings: { name: "Other" } })).client] = (
    await core.workspaces.listClients({})
  ).clients;
  const known = await core.watches.listWatchedDomains({});
  if (known.domains.length === 0)
    await core.watches.addWatchedDomain({ clientId: client?.id ?? "", name: "shop.hermod.dev" });
  return JSON.stringify(example).replaceAll(/cl_[0-9a-z]{26}/g, client?.id ?? "");
}

it.each(ofIntel)("the example $name of $path is accepted, except for its ids", async ({ path, name }) => {
  const example = examplesOf(served.paths[path]?.post)[name]?.value;
  const key = hermod.firstRun.deliverability_api_key;
  const body = await withOwnIds(example);
  const headers = { "content-type": "application/json", "x-api-key": key, "idempotency-key": name };
  // With one key, a repeated request waits for the same report.
  const { status } = await untilReported(() =>
    fetch(hermod.firstRun.base_url + path, { method: "POST", headers, body }),
  );
  expect(status).toBe(201);
});

it.each(ofMail)("the example $name of $path is accepted unchanged", async ({ path, name }) => {
  const example = examplesOf(served.paths[path]?.post)[name];
  const { status, accepted } = await post(hermod, example?.value, { path });
  // The account has no alert rule.
  const expected = path === "/v1/alerts/ingest" ? "unmatched" : "queued";
  expect([status, accepted.status]).toEqual([202, name === "scheduled" ? "scheduled" : expected]);
});

it.each(alertFields)("the example of an alert's $field is accepted", async ({ field, example }) => {
  const base = { event_type: "e", severity: "info", source: "s", message: "m" };
  const { status } = await post(hermod, { ...base, [field]: example }, { path: "/v1/alerts/ingest" });
  expect(status).toBe(202);
});

it.each(fields)("the example of $field is accepted", async ({ field, example }) => {
  const base = field.startsWith("template")
    ? { to: "ada@example.org", template: "welcome", template_data: { name: "Ada" } }
    : email();
  expect((await post(hermod, { ...base, [field]: example })).status).toBe(202);
});

it("the example of the Idempotency-Key is accepted", async () => {
  const [parameter] = served.paths["/v1/email/send"]?.post?.parameters ?? [];
  expect(parameter?.name).toBe("Idempotency-Key");
  const headers = { "idempotency-key": parameter?.schema.examples[0] ?? "" };
  expect((await post(hermod, email(), { headers })).status).toBe(202);
});
