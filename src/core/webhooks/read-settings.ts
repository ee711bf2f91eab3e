import { webhookTypes } from "../../../contracts/common/webhook-types.ts";
import type { WebhookSettings } from "../../../gen/hermod/webhook/v1/webhook_service_pb.ts";
import { privateHostReason } from "../../shared/destination-address.ts";
import { validationFault } from "../../shared/fault.ts";
import { type FaultText, say } from "../../shared/fault-text.ts";
import type { WebhookEndpointDocument, WebhookHeader } from "../../store/webhook-documents.ts";
import { createFieldFaults, type FieldFaults, pointer } from "../field-faults.ts";

/** Settings of an endpoint in stored form. */
export type ChosenSettings = Pick<
  WebhookEndpointDocument,
  "url" | "description" | "types" | "tags" | "policies" | "ordered" | "ratePerSecond" | "headers"
>;

export interface SettingsBounds {
  /** Permits endpoints at private addresses and without TLS. */
  readonly allowPrivate: boolean;
}

const MAX_URL = 2_048;
const MAX_DESCRIPTION = 200;
const MAX_NAMES = 20;
const MAX_NAME = 200;
const MAX_HEADER_VALUE = 1_024;
const MAX_RATE = 1_000;
/** RFC 9110 section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
/** RFC 9110 section 5.5, only ASCII. */
const FIELD_VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
/** Header fields that Hermod sets, and those of a single connection. */
const RESERVED =
  /^(?:host|user-agent|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|content-.*|webhook-.*|accept-encoding)$/i;

/**
 * @param at time of the change
 * @param former earlier settings. Their header values are kept if no new ones are given and the URL is unchanged,
 *   because they are for its server only
 * @throws Fault request.validation_failed
 */
export function readSettings(
  settings: WebhookSettings | undefined,
  { allowPrivate }: SettingsBounds,
  at: Date,
  former?: Pick<WebhookEndpointDocument, "url" | "headers">,
): ChosenSettings {
  const faults = createFieldFaults();
  const { url = "", description = "", types = [], tags = [], policies = [] } = settings ?? {};
  checkUrl(url, allowPrivate, faults);
  if (description.length > MAX_DESCRIPTION)
    faults.add(
      "/description",
      "field.too_long",
      say("description_most_characters", { max: MAX_DESCRIPTION }),
    );
  for (const [index, type] of types.entries())
    checkType({ type, known: webhookTypes, at: pointer("types", index) }, faults);
  checkNames("tags", tags, faults);
  checkNames("policies", policies, faults);
  const ratePerSecond = settings?.ratePerSecond;
  if (ratePerSecond !== undefined && (ratePerSecond < 1 || ratePerSecond > MAX_RATE)) {
    const message = say("field_from_1", { field: "rate_per_second", max: MAX_RATE });
    faults.add("/rate_per_second", "field.invalid", message);
  }
  const kept = former?.url === url ? former.headers : [];
  const headers = readHeaders({ given: settings?.headers ?? [], kept, at }, faults);
  if (faults.found.length > 0) throw validationFault(faults.found);
  return {
    url,
    description,
    ...(types.length > 0 && { types: [...new Set(types)] }),
    ...(tags.length > 0 && { tags: [...new Set(tags)] }),
    ...(policies.length > 0 && { policies: [...new Set(policies)] }),
    ...(settings?.ordered && { ordered: true as const }),
    ...(ratePerSecond !== undefined && { ratePerSecond }),
    headers,
  };
}

/** Adds a fault for a URL to which nothing may be posted. */
export function checkUrl(text: string, allowPrivate: boolean, faults: FieldFaults): void {
  if (text === "") faults.add("/url", "field.required", say("endpoint_url"));
  else if (text.length > MAX_URL)
    faults.add("/url", "field.too_long", say("url_most_characters", { max: MAX_URL }));
  else {
    const message = urlFault(text, allowPrivate);
    if (message !== undefined) faults.add("/url", "field.invalid", message);
  }
}

/** Names are checked by their addresses when a worker connects. */
function urlFault(text: string, allowPrivate: boolean): FaultText | undefined {
  // A parser ignores line ends and tabs.
  const url = !/[\s\p{Cc}]/u.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (!url) return say("no_url_https_shop_example_com");
  if (url.port === "0") return say("no_server_listens_port_0");
  if (url.protocol !== "https:" && !(allowPrivate && url.protocol === "http:"))
    return say("events_sent_over_https_alone");
  if (url.username !== "" || url.password !== "") return say("url_no_user_name_password_here");
  if (url.hash !== "") return say("url_no_fragment_here_would_not");
  const reason = allowPrivate ? undefined : privateHostReason(url.hostname);
  return reason === undefined ? undefined : say("private_host", { detail: reason });
}

function checkNames(field: "tags" | "policies", names: readonly string[], faults: FieldFaults): void {
  if (names.length > MAX_NAMES)
    faults.add(`/${field}`, "field.too_many", say("endpoint_names_most_them", { max: MAX_NAMES }));
  for (const [index, name] of names.entries()) {
    if (name === "" || name.length > MAX_NAME)
      faults.add(pointer(field, index), "field.invalid", say("name_characters", { max: MAX_NAME }));
  }
}

interface Headers {
  readonly given: readonly WebhookHeader[];
  /** Headers with values that stay if none is given. */
  readonly kept: readonly WebhookHeader[];
  /** Time of the change. */
  readonly at: Date;
}

/** Reads headers that Hermod sends with every request to a receiver. */
export function readHeaders({ given: headers, kept, at }: Headers, faults: FieldFaults): WebhookHeader[] {
  checkHeaderCount(headers, faults);
  const seen = new Set<string>();
  return headers.map(({ name, value: given }, index) => {
    const refuse = (field: string, message: FaultText) =>
      faults.add(pointer("headers", index, field), "field.invalid", message);
    if (!TOKEN.test(name)) refuse("name", say("no_name_header"));
    else if (RESERVED.test(name)) refuse("name", say("hermod_writes_header_belongs_connection"));
    else if (seen.has(name.toLowerCase())) refuse("name", say("header_stands_twice"));
    seen.add(name.toLowerCase());
    const stored = headerNamed(kept, name);
    const value = given === "" ? (stored?.value ?? "") : given;
    checkHeaderValue(value, pointer("headers", index, "value"), faults);
    return stored?.value === value
      ? { ...stored, name }
      : { name, value, setAt: timeAfter(stored?.setAt, at) };
  });
}

/** Time of a change that differs from the one before: two changes of a value can come within a millisecond. */
const timeAfter = (before: Date | undefined, at: Date) =>
  before && before >= at ? new Date(before.getTime() + 1) : at;

/** Finds a header by its name, in upper or lower case. */
export function headerNamed<Header extends { readonly name: string }>(
  headers: readonly Header[],
  name: string,
): Header | undefined {
  return headers.find((one) => one.name.toLowerCase() === name.toLowerCase());
}

/** Adds a fault for too many headers. */
export function checkHeaderCount(headers: readonly unknown[], faults: FieldFaults): void {
  if (headers.length > MAX_NAMES)
    faults.add("/headers", "field.too_many", say("endpoint_most_headers", { max: MAX_NAMES }));
}

/** Adds a fault for a value that no header can have. */
export function checkHeaderValue(value: string, at: string, faults: FieldFaults): void {
  if (value.length > MAX_HEADER_VALUE || !FIELD_VALUE.test(value))
    faults.add(at, "field.invalid", say("value_1_visible_characters_ascii", { max: MAX_HEADER_VALUE }));
}

/** Adds a fault for an unknown type of events. */
export function checkType(
  { type, known, at }: { readonly type: string; readonly known: readonly string[]; readonly at: string },
  faults: FieldFaults,
): void {
  if (known.includes(type)) return;
  const message = say("no_event", { given: type.slice(0, 60), allowed: known });
  faults.add(at, "field.invalid", message);
}
