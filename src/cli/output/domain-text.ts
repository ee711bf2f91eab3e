import type {
  Domain,
  DomainEvent,
  DomainKey,
  DomainRecord,
} from "../../../gen/hermod/domain/v1/domain_service_pb.ts";
import { quotedStrings } from "../../message/dkim/keys.ts";
import type { Colour, Paint } from "./paint.ts";
import { alignRows, factLines } from "./table.ts";
import { plainTime, printable, shortened } from "./text.ts";

const statusColours: Readonly<Record<string, Colour>> = {
  verified: "green",
  right: "green",
  verifying: "yellow",
  degraded: "yellow",
  partial: "yellow",
  unknown: "yellow",
  failed: "red",
  wrong: "red",
  missing: "red",
};

/** A status of a domain, or an outcome of a record, in its color. */
export function paintStatus(paint: Paint, status: string): string {
  const colour = statusColours[status];
  return colour ? paint(colour, printable(status)) : printable(status);
}

/** Whether mail may be sent from a domain, and why, in a few words. */
export function permissionText({ maySend, verifiedBy }: Pick<Domain, "maySend" | "verifiedBy">): string {
  if (!maySend) return "no";
  return verifiedBy === "operator" ? "yes, by the operator" : "yes, by DNS";
}

/** A domain for people: its status, its keys, and each record, ready to paste into a zone file (RFC 1035 section 5.1). */
export function describeDomain(paint: Paint, domain: Domain, events: readonly DomainEvent[] = []): string {
  const { name, status, reasons, keys, records } = domain;
  return [
    `${paint("bold", printable(name))}  ${paintStatus(paint, status)}`,
    ...reasons.map((reason) => `  ${printable(reason)}`),
    ...factLines(paint, factsOf(domain)),
    "",
    paint("bold", "DKIM keys"),
    ...alignRows(keys.map(keyRow)),
    ...records.flatMap((record) => ["", ...recordLines(paint, record)]),
    ...(events.length > 0 ? ["", paint("bold", "Changes"), ...alignRows(events.map(eventRow))] : []),
  ].join("\n");
}

function factsOf(domain: Domain): [string, string][] {
  const servers = domain.nameServers.join(", ");
  const at = domain.dnsProvider === "" ? servers : `${domain.dnsProvider} (${servers})`;
  return [
    ["May send", permissionText(domain)],
    ["Sends until", plainTime(domain.sendsUntil)],
    ["Since", plainTime(domain.statusSince)],
    ["DNS at", at],
    ["Checked", plainTime(domain.checkedAt) || "not yet"],
    ["Next check", plainTime(domain.nextCheckAt)],
  ];
}

const meanings: Readonly<Record<string, string>> = {
  upcoming: "publish its record before this time",
  signing: "its record must stay published",
  retired: "its record may be removed a week after the next key took over",
};

function keyRow({ selector, algorithm, state, signsFrom }: DomainKey): string[] {
  const meaning = meanings[state] ?? "";
  return [`  ${printable(selector)}`, algorithm, `${state} from ${plainTime(signsFrom)}: ${meaning}`];
}

const purposes: Readonly<Record<string, string>> = {
  ownership: "Proof of ownership",
  dkim: "DKIM",
  return_path: "Return path",
  tracking: "Tracked links",
  spf: "SPF",
  dmarc: "DMARC",
};

const SHOWN_VALUE_LENGTH = 100;

/** The record to publish, its outcome, and if it is not right, the answer of each server. */
function recordLines(paint: Paint, record: DomainRecord): string[] {
  const { purpose, type, name, value, required, byOwner, outcome, problem, note, failure } = record;
  const kind = [required ? "required" : "recommended", ...(byOwner ? [] : ["published by the operator"])];
  const heading = `${paint("bold", purposes[purpose] ?? printable(purpose))} (${kind.join(", ")})  ${paintStatus(paint, outcome)}`;
  const wanted = value === "" ? [] : [`  ${printable(name)}.  ${type}  ${rdataText(type, value)}`];
  const words = [problem, note, failure && `The last check failed: ${failure}`];
  const answers = outcome === "right" ? [] : record.found.map((one) => answerRow(paint, one));
  return [
    heading,
    ...wanted,
    ...words.filter((text) => text !== "").map((text) => `  ${printable(text)}`),
    ...alignRows(answers),
  ];
}

function answerRow(paint: Paint, { server, values, failure }: DomainRecord["found"][number]): string[] {
  const shown = values.map((value) => shortened(printable(value), SHOWN_VALUE_LENGTH));
  const words = failure !== "" ? printable(failure) : shown.length > 0 ? shown.join(" | ") : "nothing";
  return [`    ${paint("dim", server === "" ? "resolver" : printable(server))}`, words];
}

/** A text of more than 255 octets becomes several character-strings, because most servers refuse longer ones. */
function rdataText(type: string, value: string): string {
  return type === "TXT" ? quotedStrings(printable(value)) : `${printable(value)}.`;
}

function eventRow({ at, from, to, reasons }: DomainEvent): string[] {
  return [`  ${plainTime(at)}`, `${from} -> ${to}`, reasons.map(printable).join(" ")];
}
