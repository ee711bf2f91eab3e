import type { Classes } from "../audit/classes.ts";
import type { TemplateDocument, TemplateHeadDocument } from "../documents.ts";
import { byName, FEW, type Manifest } from "./manifest.ts";

const definition: Classes<TemplateDocument["definition"]> = {
  name: "ignore",
  from: "track",
  subject: "track",
  html: "track",
  text: "track",
  variables: { name: "track", type: "track", fallback: "track" },
};

export interface TemplateDocuments {
  readonly templates: TemplateDocument;
  readonly templateHeads: TemplateHeadDocument;
}

export const templateManifest = {
  templates: {
    indexes: [
      { key: { accountId: 1, name: 1, version: 1 }, unique: true },
      {
        key: { accountId: 1, name: 1 },
        name: "published",
        unique: true,
        partialFilterExpression: { published: true },
      },
    ],
    deletion: "settings",
    export: { by: ["name", "version"], limit: FEW },
    audited: {
      template: {
        _id: "ignore",
        accountId: "ignore",
        name: "track",
        version: "track",
        published: "ignore",
        definition,
        summary: "ignore",
        createdAt: "ignore",
        createdBy: "ignore",
        restores: "track",
      },
    },
    named: { template: byName },
  },
  // A deleted template stays, without appearing in lists.
  templateHeads: {
    indexes: [
      { key: { accountId: 1, name: 1 }, unique: true },
      { key: { accountId: 1, present: 1, name: 1 } },
    ],
    deletion: "settings",
    export: { by: ["name"], limit: FEW },
    audited: {
      /** Versions are targets of the kind `template`. */
      template_draft: {
        _id: "ignore",
        accountId: "ignore",
        name: "ignore",
        present: "ignore",
        changes: "ignore",
        deletedVersion: "ignore",
        draft: definition,
        summary: "ignore",
        draftSavedAt: "ignore",
        draftSavedBy: "ignore",
        testData: "track",
        dataSets: { name: "track", data: "track" },
      },
    },
    named: { template_draft: byName },
  },
} as const satisfies Manifest<TemplateDocuments>;
