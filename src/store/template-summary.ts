import type { TemplateSource } from "../message/template/template.ts";
import { contentRevision } from "./content-revision.ts";
import type { TemplateSummary } from "./documents.ts";

const MAX_SUBJECT = 300;

/** Subject in a list: its first characters. A subject can have a million. */
export function listedSubject(subject: string): string {
  return subject.slice(0, MAX_SUBJECT).toWellFormed();
}

export function summaryOf(definition: TemplateSource): TemplateSummary {
  return { subject: listedSubject(definition.subject), digest: contentRevision(definition) };
}
