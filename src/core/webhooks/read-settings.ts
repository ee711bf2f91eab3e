import { webhookTypes } from "../../../contracts/common/webhook-types.ts";
import type { WebhookSettings } from "../../../gen/hermod/webhook/v1/webhook_service_pb.ts";
import { privateHostReason } from "../../shared/destination-address.ts";
import { validationFault } from "../../shared/fault.ts";
import type { WebhookEndpointDocument, WebhookHeader } from "../../store/webhook-documents.ts";
import { createFieldFaults, type FieldFaults, pointer } from "../field-faults.ts";

/** What somebody chooses, as it is stored. */
export type ChosenSettings = Pick<
  WebhookEndpointDocument,
  "url" | "description" | "types" | "tags" | "policies" | "ordered" | "headers"
>;

export interface SettingsBounds {
  /** Endpoints may be at private addresses, and without TLS. */
  readonly allowPrivate: boolean;
}

const MAX_URL = 2_048;
const MAX_DESCRIPTION = 200;
const MAX_NAMES = 20;
const MAX_NAME = 200;
const MAX_HEADER_VALUE = 1_024;
/** RFC 9110 section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
/** RFC 9110 section 5.5, and nothing beyond ASCII. */
const FIELD_VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
/** What Hermod says itself, and what belongs to one connection. */
const RESERVED =
  /^(?:host|user-agent|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|content-.*|webhook-.*|accept-encoding)$/i;

/**
 * @param former whose headers keep their values where none is given, as long as the URL stays: what they say is for its server alone
 * @throws Fault request.validation_failed
 */
export function readSettings(
  settings: WebhookSettings | undefined,
  { allowPrivate }: SettingsBounds,
  former?: Pick<WebhookEndpointDocument, "url" | "headers">,
): ChosenSettings {
  const faults = createFieldFaults();
  const { url = "", description = "", types = [], tags = [], policies = [] } = settings ?? {};
  checkUrl(url, allowPrivate, faults);
  if (description.length > MAX_DESCRIPTION)
    faults.add("/description", "field.too_long", `A description has at most ${MAX_DESCRIPTION} characters.`);
  for (const [index, type] of types.entries())
    checkType({ type, known: webhookTypes, at: pointer("types", index) }, faults);
  checkNames("tags", tags, faults);
  checkNames("policies", policies, faults);
  const kept = former?.url === url ? former.headers : [];
  const headers = readHeaders(settings?.headers ?? [], kept, faults);
  if (faults.found.length > 0) throw validationFault(faults.found);
  return {
    url,
    description,
    ...(types.length > 0 && { types: [...new Set(types)] }),
    ...(tags.length > 0 && { tags: [...new Set(tags)] }),
    ...(policies.length > 0 && { policies: [...new Set(policies)] }),
    ...(settings?.ordered && { ordered: true as const }),
    headers,
  };
}

function checkUrl(text: string, allowPrivate: boolean, faults: FieldFaults): void {
  if (text === "") faults.add("/url", "field.required", "An endpoint has a URL.");
  else if (text.length > MAX_URL)
    faults.add("/url", "field.too_long", `A URL has at most ${MAX_URL} characters.`);
  else {
    const message = urlFault(text, allowPrivate);
    if (message !== undefined) faults.add("/url", "field.invalid", message);
  }
}

/** Names are judged by where they lead when a worker connects. */
function urlFault(text: string, allowPrivate: boolean): string | undefined {
  // A parser leaves out line ends and tabs.
  const url = !/[\s\p{Cc}]/u.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (!url) return "This is no URL, as https://shop.example.com/hooks/mail.";
  if (url.port === "0") return "No server listens on port 0.";
  if (url.protocol !== "https:" && !(allowPrivate && url.protocol === "http:"))
    return "Events are sent over HTTPS alone.";
  if (url.username !== "" || url.password !== "")
    return "A URL has no user name and password here: use a header.";
  if (url.hash !== "") return "A URL has no fragment here: it would not be sent.";
  const reason = allowPrivate ? undefined : privateHostReason(url.hostname);
  return reason && `${reason}.`;
}

function checkNames(field: "tags" | "policies", names: readonly string[], faults: FieldFaults): void {
  if (names.length > MAX_NAMES)
    faults.add(`/${field}`, "field.too_many", `An endpoint names at most ${MAX_NAMES} of them.`);
  for (const [index, name] of names.entries()) {
    if (name === "" || name.length > MAX_NAME)
      faults.add(pointer(field, index), "field.invalid", `A name has 1 to ${MAX_NAME} characters.`);
  }
}

function readHeaders(
  headers: readonly WebhookHeader[],
  former: readonly WebhookHeader[],
  faults: FieldFaults,
): WebhookHeader[] {
  if (headers.length > MAX_NAMES)
    faults.add("/headers", "field.too_many", `An endpoint has at most ${MAX_NAMES} headers.`);
  const seen = new Set<string>();
  return headers.map(({ name, value: given }, index) => {
    const refuse = (field: string, message: string) =>
      faults.add(pointer("headers", index, field), "field.invalid", message);
    if (!TOKEN.test(name)) refuse("name", "This is no name of a header.");
    else if (RESERVED.test(name))
      refuse("name", "Hermod writes this header, or it belongs to the connection.");
    else if (seen.has(name.toLowerCase())) refuse("name", "The header stands twice.");
    seen.add(name.toLowerCase());
    const kept = former.find((one) => one.name.toLowerCase() === name.toLowerCase())?.value;
    const value = given === "" ? (kept ?? "") : given;
    if (value.length > MAX_HEADER_VALUE || !FIELD_VALUE.test(value))
      refuse("value", `A value has 1 to ${MAX_HEADER_VALUE} visible characters of ASCII.`);
    return { name, value };
  });
}

/** Adds a fault for a type of events that there is not. */
export function checkType(
  { type, known, at }: { readonly type: string; readonly known: readonly string[]; readonly at: string },
  faults: FieldFaults,
): void {
  if (known.includes(type)) return;
  const message = `There is no event ${JSON.stringify(type.slice(0, 60))}; there are: ${known.join(", ")}.`;
  faults.add(at, "field.invalid", message);
}
