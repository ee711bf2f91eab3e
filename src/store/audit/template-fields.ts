import type { TemplateDocument, TemplateHeadDocument } from "../documents.ts";
import type { Classes } from "./classes.ts";

const definition: Classes<TemplateDocument["definition"]> = {
  name: "ignore",
  from: "track",
  subject: "track",
  html: "track",
  text: "track",
  variables: { name: "track", type: "track", fallback: "track" },
};

export const template: Classes<TemplateDocument> = {
  _id: "ignore",
  accountId: "ignore",
  name: "track",
  version: "track",
  published: "ignore",
  definition,
  createdAt: "ignore",
  createdBy: "ignore",
  restores: "track",
};

/** Versions are there as templates. */
export const templateDraft: Classes<TemplateHeadDocument> = {
  _id: "ignore",
  accountId: "ignore",
  name: "ignore",
  present: "ignore",
  changes: "ignore",
  deletedVersion: "ignore",
  draft: definition,
  draftSavedAt: "ignore",
  draftSavedBy: "ignore",
  testData: "track",
};
