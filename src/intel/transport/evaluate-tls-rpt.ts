import { safeDetail } from "../../message/replies/outcome.ts";
import { type Phrase, phrase, phrases } from "../../shared/phrase.ts";
import { type Evaluation, type Fix, fixFields, observedFields } from "../check-result.ts";
import { mailtoUri, parseReportUris, repairReportUri } from "../dmarc/report-uri.ts";
import { quotable } from "../quotable.ts";
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
    return { status: "error", ...observedFields(phrase("tls_rpt.record_unknown", { reason: failure })) };
  const [record, another] = records;
  if (record === undefined) return evaluateAbsence(subject);
  if (another === undefined) return evaluateRecord(record, subject);
  return {
    status: "fail",
    ...observedFields(phrase("tls_rpt.several", { count: records.length })),
    fix: fixFields(phrase("tls_rpt.keep_one")),
  };
}

function evaluateRecord(text: string, subject: TlsRptSubject): Evaluation {
  const record = parseTlsRpt(text);
  if ("problem" in record) {
    const shownText = phrase("tls_rpt.text", { text: quotable(text) });
    const observed = phrases(phrase("tls_rpt.unusable"), record.problem, shownText);
    return { status: "fail", ...observedFields(observed), fix: mend(text, subject) };
  }
  const { uris, unusable } = record;
  if (unusable.length === 0)
    return {
      status: "pass",
      ...observedFields(phrase("tls_rpt.requested", { addresses: shown(uris) })),
    };
  return {
    status: "warn",
    ...observedFields(phrase("tls_rpt.some_unusable", { addresses: shown(unusable) })),
    fix: {
      record: { name: nameOf(subject), type: "TXT", value: `v=TLSRPTv1; rua=${uris.join(",")}` },
      ...fixFields(phrase("tls_rpt.replace")),
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
  if (uris.length === 0) return ask(subject, phrase("tls_rpt.replace"));
  return {
    record: { name: nameOf(subject), type: "TXT", value: `v=TLSRPTv1; rua=${uris.join(",")}` },
    ...fixFields(phrase("tls_rpt.replace")),
  };
}

function evaluateAbsence(subject: TlsRptSubject): Evaluation {
  const { domain, policies } = subject;
  const { isAtFormerName, similar } = subject.tlsRpt;
  if (isAtFormerName) {
    const name = `${FORMER_LABEL}.${domain}`;
    return {
      status: "warn",
      ...observedFields(phrase("tls_rpt.former_name", { name })),
      fix: ask(subject, phrase("tls_rpt.move", { name })),
    };
  }
  const none =
    similar === undefined
      ? phrase("tls_rpt.none")
      : phrase("tls_rpt.wrong_beginning", { text: quotable(similar) });
  const text = phrase("tls_rpt.publish");
  const fix = similar === undefined ? ask(subject, text) : mend(similar, subject);
  const [policy, another] = policies;
  if (policy !== undefined) {
    const missed =
      another === undefined
        ? phrase("tls_rpt.not_notified", { policy })
        : phrase("tls_rpt.not_notified_of_both");
    return { status: "warn", ...observedFields(phrases(none, missed)), fix };
  }
  if (similar !== undefined) return { status: "warn", ...observedFields(none), fix };
  const optional = phrase("tls_rpt.no_policy");
  return { status: "not_tested", ...observedFields(phrases(none, optional)), fix };
}

function ask(subject: TlsRptSubject, text: Phrase): Fix {
  const uri = mailtoUri(subject.reportAddress ?? `tls-reports@${subject.domain}`);
  return {
    record: { name: nameOf(subject), type: "TXT", value: `v=TLSRPTv1; rua=${uri}` },
    ...fixFields(text),
  };
}

function nameOf({ domain }: TlsRptSubject): string {
  return `_smtp._tls.${domain}`;
}

function shown(texts: readonly string[]): string[] {
  const all = texts.slice(0, MAX_NAMED).map((text) => safeDetail(text.slice(0, MAX_TEXT_LENGTH)));
  return texts.length > MAX_NAMED ? [...all, "…"] : all;
}
