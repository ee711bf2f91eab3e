import { safeDetail } from "../../message/replies/outcome.ts";
import type { Evaluation, Fix } from "../check-result.ts";
import { mailtoUri, parseReportUris, repairReportUri } from "../dmarc/report-uri.ts";
import { quoted } from "../quoted.ts";
import { FORMER_LABEL, type TlsRptFacts } from "./find-tls-rpt.ts";
import { parseTlsRpt } from "./tls-rpt-record.ts";

export interface TlsRptSubject {
  readonly domain: string;
  readonly tlsRpt: TlsRptFacts;
  /** Policies that require TLS and so cause reports: MTA-STS, DANE. */
  readonly policies: readonly string[];
  /** Address for reports; undefined: `tls-reports` of the domain. */
  readonly reportAddress?: string | undefined;
}

const MAX_NAMED = 5;
/** Hostile records are long. */
const MAX_MENDED_LENGTH = 4_096;
const MAX_TEXT_LENGTH = 200;

/** Judges `transport.tlsrpt`. */
export function evaluateTlsRpt(subject: TlsRptSubject): Evaluation {
  const { failure, records } = subject.tlsRpt;
  if (failure !== undefined)
    return { status: "error", observed: `The lookup of the record failed: ${failure}.` };
  const [record, another] = records;
  if (record === undefined) return evaluateAbsence(subject);
  if (another === undefined) return evaluateRecord(record, subject);
  return {
    status: "fail",
    observed: `There are ${records.length} TLS-RPT records, so senders assume that there is none (RFC 8460 section 3).`,
    fix: { text: "Keep only one of them." },
  };
}

function evaluateRecord(text: string, subject: TlsRptSubject): Evaluation {
  const record = parseTlsRpt(text);
  if ("problem" in record) {
    const observed = `Senders cannot use the TLS-RPT record. ${record.problem} ${quoted(text)}.`;
    return { status: "fail", observed, fix: mend(text, subject) };
  }
  const { uris, unusable } = record;
  if (unusable.length === 0) return { status: "pass", observed: `Reports are requested: ${shown(uris)}.` };
  return {
    status: "warn",
    observed: `Reports are requested, but some addresses are unusable: ${shown(unusable)}.`,
    fix: {
      record: { name: nameOf(subject), type: "TXT", value: `v=TLSRPTv1; rua=${uris.join(",")}` },
      text: "Replace the record with this one.",
    },
  };
}

/** The record with its intended addresses. The owner's addresses are never replaced. */
function mend(text: string, subject: TlsRptSubject): Fix {
  const fields = text.slice(0, MAX_MENDED_LENGTH).split(/[;\s]+/);
  const meant = fields.flatMap((field) => {
    const value = /^(?:ru[af]|mailto)\s*[=:]\s*(.+)$/i.exec(field)?.[1] ?? (field.includes("@") ? field : "");
    return value === "" ? [] : parseReportUris(value).flatMap((uri) => repairReportUri(uri) ?? []);
  });
  const uris = [...new Set(meant)].filter((uri) => "uris" in parseTlsRpt(`v=TLSRPTv1; rua=${uri}`));
  if (uris.length === 0) return ask(subject, "Replace the record with this one.");
  return {
    record: { name: nameOf(subject), type: "TXT", value: `v=TLSRPTv1; rua=${uris.join(",")}` },
    text: "Replace the record with this one.",
  };
}

function evaluateAbsence(subject: TlsRptSubject): Evaluation {
  const { domain, policies } = subject;
  const { isAtFormerName, similar } = subject.tlsRpt;
  if (isAtFormerName)
    return {
      status: "warn",
      observed: `There is a TLS-RPT record at ${FORMER_LABEL}.${domain}, but senders do not query this name.`,
      fix: ask(subject, `Publish this record, and remove the one at ${FORMER_LABEL}.${domain}.`),
    };
  const none =
    similar === undefined
      ? "There is no TLS-RPT record."
      : `There is no TLS-RPT record. This text is none because it does not begin with v=TLSRPTv1 and a semicolon: ${quoted(similar)}.`;
  const text = "Publish this record. Senders then report TLS failures daily.";
  const fix = similar === undefined ? ask(subject, text) : mend(similar, subject);
  if (policies.length > 0) {
    const observed = `${none} The domain is not notified of mail that ${policies.join(" or ")} holds back.`;
    return { status: "warn", observed, fix };
  }
  if (similar !== undefined) return { status: "warn", observed: none, fix };
  const observed = `${none} It is useful with MTA-STS or DANE, and the domain has neither.`;
  return { status: "not_tested", observed, fix };
}

function ask(subject: TlsRptSubject, text: string): Fix {
  const uri = mailtoUri(subject.reportAddress ?? `tls-reports@${subject.domain}`);
  return { record: { name: nameOf(subject), type: "TXT", value: `v=TLSRPTv1; rua=${uri}` }, text };
}

function nameOf({ domain }: TlsRptSubject): string {
  return `_smtp._tls.${domain}`;
}

function shown(texts: readonly string[]): string {
  const all = texts.slice(0, MAX_NAMED).map((text) => safeDetail(text.slice(0, MAX_TEXT_LENGTH)));
  return texts.length > MAX_NAMED ? `${all.join(", ")}, …` : all.join(", ");
}
