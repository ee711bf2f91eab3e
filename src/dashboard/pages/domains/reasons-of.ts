import type { ListedDomain } from "../../api/domains.ts";
import { sentenceText } from "../../texts/sentence-text.ts";

/** Reasons why a domain is not verified. A core of an earlier release does not send their parts. */
export function reasonsOf({
  reasons,
  reason_texts: texts,
}: Pick<ListedDomain, "reasons"> & Partial<Pick<ListedDomain, "reason_texts">>): string[] {
  return reasons.map((reason, index) => sentenceText(texts?.[index]?.parts, reason));
}
