import type { Clock } from "../../shared/clock.ts";
import { type Phrase, phrase, phrases } from "../../shared/phrase.ts";
import type { Evidence } from "../check-result.ts";
import { evaluateCertificate, type MarkFinding } from "./evaluate-certificate.ts";
import { evaluateImage } from "./evaluate-image.ts";
import type { FetchedMark, FetchMark } from "./fetch-mark.ts";

interface MarkOptions {
  /** Location of the image, `l` of the record. */
  readonly location: URL;
  /** Location of the certificate, `a` of the record; undefined: there is none. */
  readonly authority: URL | undefined;
  /** The certificate must contain at least one of these names. */
  readonly domains: readonly string[];
  readonly fetchMark: FetchMark;
  readonly clock: Pick<Clock, "now">;
}

/** Findings about the image and the certificate of a BIMI record. Empty if there is no problem. */
export interface CheckedMark {
  readonly findings: readonly MarkFinding[];
  readonly evidence: readonly Evidence[];
}

/** Fetches and judges both. Never rejects: a failed fetch is an error, not an absence. */
export async function checkMark(options: MarkOptions): Promise<CheckedMark> {
  const { location, authority, domains, fetchMark, clock } = options;
  const [image, certificate] = await Promise.all([
    fetchMark(location, "image"),
    authority && fetchMark(authority, "certificate"),
  ]);
  const ofImage = image.kind === "body" ? imageFindings(image.body) : [notFetched(image)];
  const evaluated =
    certificate?.kind === "body"
      ? evaluateCertificate(certificate.body, {
          domains,
          now: clock.now(),
          image: image.kind === "body" ? image.body : undefined,
        })
      : { findings: certificate ? [notFetched(certificate)] : [], data: [] };
  return {
    findings: [
      ...ofImage.map(about(phrase("bimi.image"))),
      ...evaluated.findings.map(about(phrase("bimi.certificate"))),
    ],
    evidence: [
      image.evidence,
      ...(certificate
        ? [{ ...certificate.evidence, data: [...certificate.evidence.data, ...evaluated.data] }]
        : []),
    ],
  };
}

function imageFindings(body: Buffer): MarkFinding[] {
  const { faults, doubts } = evaluateImage(body);
  return [
    ...faults.map((text) => ({ status: "fail", text }) as const),
    ...doubts.map((text) => ({ status: "warn", text }) as const),
  ];
}

function notFetched({ kind, reason }: Exclude<FetchedMark, { readonly kind: "body" }>): MarkFinding {
  if (kind === "wrong") return { status: "fail", text: phrase("bimi.not_available", { reason }) };
  return { status: "error", text: phrase("bimi.not_fetched", { reason }) };
}

const about =
  (what: Phrase) =>
  ({ status, text }: MarkFinding): MarkFinding => ({ status, text: phrases(what, text) });
