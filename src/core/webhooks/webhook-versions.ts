import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type CompareWebhookVersionsRequest,
  type CompareWebhookVersionsResponseSchema,
  type GetWebhookVersionRequest,
  type GetWebhookVersionResponseSchema,
  type ListWebhookVersionsRequest,
  type ListWebhookVersionsResponseSchema,
  type RestoreWebhookRequest,
  type RestoreWebhookResponseSchema,
  WebhookHeaderSchema,
  type WebhookSettings,
  WebhookSettingsSchema,
} from "../../../gen/hermod/webhook/v1/webhook_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { type FaultText, say } from "../../shared/fault-text.ts";
import type { PlainVersion } from "../../store/plain-versions.ts";
import { webhookSettingsRevision } from "../../store/revisions.ts";
import type { AccountStore, Store } from "../../store/store.ts";
import type {
  VersionedWebhook,
  WebhookEndpointDocument,
  WebhookHeader,
} from "../../store/webhook-documents.ts";
import { createFieldFaults, pointer } from "../field-faults.ts";
import { resolveAccount } from "../resolve-account.ts";
import {
  compareVersions,
  findVersion,
  listVersions,
  messageFields,
  toSettingVersion,
} from "../setting-versions.ts";
import { changeWebhook, checkRevision, type WebhookNeeds, withSettings } from "./change-webhook.ts";
import { checkHeaderCount, checkHeaderValue, headerNamed, readSettings } from "./read-settings.ts";
import { toWebhookSettings } from "./webhook-to-proto.ts";

interface Needs {
  readonly store: Pick<Store, "accounts" | "forAccount">;
}
type Version = PlainVersion<VersionedWebhook>;

/** The time of a header's value represents the value, which no version has. */
const SECRETS: ReadonlySet<string> = new Set(["value"]);

/** @throws Fault account.unknown, webhook.unknown, request.validation_failed */
export function createListWebhookVersions({ store }: Needs) {
  return async (
    request: ListWebhookVersionsRequest,
  ): Promise<MessageInitShape<typeof ListWebhookVersionsResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const endpoint = await findEndpoint(account, request.id);
    return listVersions(account.webhookVersions, endpoint, request);
  };
}

/** @throws Fault account.unknown, webhook.unknown, webhook.version_not_found */
export function createGetWebhookVersion({ store }: Needs) {
  return async (
    request: GetWebhookVersionRequest,
  ): Promise<MessageInitShape<typeof GetWebhookVersionResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const endpoint = await findEndpoint(account, request.id);
    const found = await findOne(account, endpoint, request.version);
    const unknown = found.content.headers.filter(({ name }) => !hasValue(endpoint, found.content, name));
    return {
      version: toSettingVersion(found),
      settings: toWebhookSettings(found.content),
      unknownValues: unknown.map(({ name }) => name),
    };
  };
}

/**
 * Compares two versions. A changed value of a header is reported without its values.
 * @throws Fault account.unknown, webhook.unknown, webhook.version_not_found
 */
export function createCompareWebhookVersions({ store }: Needs) {
  return async (
    request: CompareWebhookVersionsRequest,
  ): Promise<MessageInitShape<typeof CompareWebhookVersionsResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const endpoint = await findEndpoint(account, request.id);
    return compareVersions(request, {
      find: (version) => findOne(account, endpoint, version),
      fieldsOf,
      secrets: SECRETS,
    });
  };
}

/**
 * Stores the settings of an earlier version. The rules of today apply. A header gets the value of the request, or else
 * its present one at the same URL: a value is for its server alone. Secrets stay, and so does a disabled state.
 * @throws Fault account.unknown, webhook.unknown, webhook.version_not_found, webhook.stale, request.validation_failed
 */
export function createRestoreWebhook(needs: WebhookNeeds) {
  return async (
    request: RestoreWebhookRequest,
    { audit }: Pick<HandlerContext, "audit">,
  ): Promise<MessageInitShape<typeof RestoreWebhookResponseSchema>> => {
    const account = await resolveAccount(needs.store, request);
    const endpoint = await findEndpoint(account, request.id);
    const { content, number: restores } = await findOne(account, endpoint, String(request.version));
    const values = readValues(request.headers, content);
    const at = needs.clock.now();
    return changeWebhook(needs, request, { audit, restores }, (former) => {
      if (request.revision !== 0) checkRevision(request.revision, former);
      const chosen = readSettings(settingsOf(content, values, former), needs.policyBounds, at, former);
      const restored = withSettings(former, chosen);
      return webhookSettingsRevision(restored) === webhookSettingsRevision(former) ? former : restored;
    });
  };
}

/** @throws Fault webhook.unknown */
async function findEndpoint(
  { webhooks }: Pick<AccountStore, "webhooks">,
  id: string,
): Promise<WebhookEndpointDocument> {
  const found = await webhooks.find(id);
  if (!found) throw fault("webhook.unknown");
  return found;
}

/** @throws Fault webhook.version_not_found */
function findOne(
  { webhookVersions }: Pick<AccountStore, "webhookVersions">,
  endpoint: WebhookEndpointDocument,
  version: string,
): Promise<Version> {
  return findVersion(webhookVersions, endpoint, version, () => fault("webhook.version_not_found"));
}

/** Whether the endpoint has a value for a header of a version. */
function hasValue(endpoint: WebhookEndpointDocument, content: VersionedWebhook, name: string): boolean {
  return endpoint.url === content.url && headerNamed(endpoint.headers, name) !== undefined;
}

/**
 * Values of headers of a version, by their names in lower case.
 * @throws Fault request.validation_failed
 */
function readValues(given: readonly WebhookHeader[], { headers }: VersionedWebhook): Map<string, string> {
  const faults = createFieldFaults();
  checkHeaderCount(given, faults);
  const values = new Map<string, string>();
  for (const [index, { name, value }] of given.entries()) {
    const refuse = (message: FaultText) =>
      faults.add(pointer("headers", index, "name"), "field.invalid", message);
    if (!headerNamed(headers, name)) refuse(say("version_no_header"));
    else if (values.has(name.toLowerCase())) refuse(say("header_stands_twice"));
    if (value !== "") checkHeaderValue(value, pointer("headers", index, "value"), faults);
    values.set(name.toLowerCase(), value);
  }
  if (faults.found.length > 0) throw validationFault(faults.found);
  return values;
}

/**
 * Settings of a version with the values of its headers. An empty value means the present one.
 * @throws Fault request.validation_failed if a value is unknown
 */
function settingsOf(
  content: VersionedWebhook,
  values: ReadonlyMap<string, string>,
  former: WebhookEndpointDocument,
): WebhookSettings {
  const faults = createFieldFaults();
  const headers = content.headers.map(({ name }) => ({ name, value: values.get(name.toLowerCase()) ?? "" }));
  for (const { name, value } of headers)
    if (value === "" && !hasValue(former, content, name))
      faults.add("/headers", "field.required", say("header_value_unknown", { name }));
  if (faults.found.length > 0) throw validationFault(faults.found);
  const settings = create(WebhookSettingsSchema, toWebhookSettings(content));
  settings.headers = headers.map((header) => create(WebhookHeaderSchema, header));
  return settings;
}

function fieldsOf({ content }: Version): object {
  const { headers: _, ...fields } = messageFields(WebhookSettingsSchema, toWebhookSettings(content));
  const headers = content.headers.map(({ name, setAt }) => ({ name, value: setAt?.toISOString() ?? "" }));
  return { ...fields, headers };
}
