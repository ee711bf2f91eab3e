import { getPublicSuffix, parse } from "tldts";
import type { WatchSettings as Asked } from "../../../gen/hermod/watch/v1/watch_service_pb.ts";
import { blacklists } from "../../intel/blacklists/blacklists.ts";
import { addressSubject, subjectsOf } from "../../intel/blacklists/subject.ts";
import { type DomainRole, domainRoles } from "../../intel/catalogue.ts";
import { parseDomain } from "../../message/address/senders.ts";
import { validationFault } from "../../shared/fault.ts";
import { type FaultText, say } from "../../shared/fault-text.ts";
import { unicodeName } from "../../shared/unicode-name.ts";
import type { WatchSettings } from "../../store/intel-documents.ts";
import { stateKey } from "../../store/subject-watches.ts";
import { createFieldFaults, type FieldFaults, pointer } from "../field-faults.ts";
import { checkNotes, checkTags } from "./read-client.ts";

const MAX_SELECTORS = 20;
const MAX_ADDRESSES = 20;
/**
 * RFC 6376 section 3.1: names below `_domainkey`, of letters, digits and hyphens. Some providers use underscores,
 * too.
 */
const SELECTOR = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$/;
const MAX_SELECTOR = 100;
/** Names of RFC 6761, RFC 6762, RFC 7686, RFC 8375, RFC 9476, and other names that do not exist on the Internet. */
const RESERVED =
  /(?:^|\.)(?:test|example|invalid|localhost|local|onion|alt|internal|arpa|home|corp|mail|lan|intranet|private)$/;

export interface WatchedName {
  /** Name in A-labels. */
  readonly name: string;
  readonly nameUnicode: string;
}

/**
 * Name of a domain to watch.
 * @param allowsReserved permits names of the local network
 * @throws Fault request.validation_failed
 */
export function readWatchedName(text: string, allowsReserved: boolean): WatchedName {
  const faults = createFieldFaults();
  const name = readName(text.trim().replace(/\.$/, ""), allowsReserved, faults);
  if (faults.found.length > 0) throw validationFault(faults.found);
  return { name, nameUnicode: unicodeName(name) };
}

/** Whether a domain may be watched. @param name in A-labels */
export function isWatchable(name: string, allowsReserved: boolean): boolean {
  const faults = createFieldFaults();
  readName(name, allowsReserved, faults);
  return faults.found.length === 0;
}

function readName(text: string, allowsReserved: boolean, faults: FieldFaults): string {
  if (text === "") {
    faults.add("/name", "field.required", say("domain_name_missing"));
    return text;
  }
  const read = parseDomain(text);
  if (!read.ok) {
    faults.add("/name", read.code, read.message);
    return text;
  }
  const { domain } = read;
  const refuse = (why: FaultText) => faults.add("/name", "field.invalid", why);
  if (parse(domain).isIp) refuse(say("address_give_name_domain"));
  else if (domain.includes("_")) refuse(say("name_domain_no_underscore"));
  else if (RESERVED.test(domain)) {
    if (!allowsReserved) refuse(say("names_kind_nobody_internet"));
  } else if (getPublicSuffix(domain, { allowPrivateDomains: true }) === domain)
    refuse(say("anybody_register_names_below_give_one", { given: domain ?? "" }));
  return domain;
}

/**
 * Reads the settings of a watched domain from a request.
 * @param allowsPrivate permits addresses of the local network
 * @throws Fault request.validation_failed
 */
export function readWatch(asked: Asked | undefined, allowsPrivate: boolean): WatchSettings {
  const faults = createFieldFaults();
  const { role = "", dkimSelectors = [], sendingIps = [], paused = false, notes } = asked ?? {};
  const tags = asked?.tags?.values;
  const selectors = dkimSelectors.map((selector) => selector.trim().toLowerCase());
  if (role !== "" && !domainRoles.includes(role as DomainRole))
    faults.add("/role", "field.invalid", say("role_one_of", { allowed: domainRoles }));
  if (selectors.length > MAX_SELECTORS)
    faults.add("/dkim_selectors", "field.too_many", say("at_most", { max: MAX_SELECTORS }));
  for (const [index, selector] of selectors.entries())
    if (
      !SELECTOR.test(selector) ||
      selector.length > MAX_SELECTOR ||
      /(?:^|\.)_domainkey(?:\.|$)/.test(selector)
    )
      faults.add(
        pointer("dkim_selectors", index),
        "field.invalid",
        say("selector_alone_s1_without_domainkey_what"),
      );
  if (sendingIps.length > MAX_ADDRESSES)
    faults.add("/sending_ips", "field.too_many", say("at_most", { max: MAX_ADDRESSES }));
  const addresses = sendingIps.map((address, index) =>
    readAddress(address.trim(), index, allowsPrivate, faults),
  );
  if (tags) checkTags(tags, faults);
  if (notes !== undefined) checkNotes(notes, faults);
  if (faults.found.length > 0) throw validationFault(faults.found);
  return {
    role: (role || "sending") as DomainRole,
    dkimSelectors: [...new Set(selectors)],
    sendingIps: [...new Set(addresses)],
    paused,
    ...(tags && { tags: [...new Set(tags)] }),
    ...(notes !== undefined && { notes }),
  };
}

function readAddress(text: string, index: number, allowsPrivate: boolean, faults: FieldFaults): string {
  const subject = addressSubject(text);
  if (subject) return subject.value;
  if (!(allowsPrivate && parse(text).isIp))
    faults.add(pointer("sending_ips", index), "field.invalid", say("ip_address_public_internet"));
  return text;
}

/** Subjects that each blacklist is queried for: keys of states. */
export function subjectKeys(domain: string, sendingIps: readonly string[]): string[] {
  return blacklists.flatMap((list) =>
    subjectsOf(list, domain, sendingIps).map(({ value }) => stateKey({ listId: list.id, subject: value })),
  );
}
