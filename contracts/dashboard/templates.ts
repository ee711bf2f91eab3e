import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { forcedRemoval, removalQuery } from "../common/resource-use.ts";
import { ifRevision } from "../common/revision.ts";
import { changing, reading } from "../common/session-access.ts";
import { data, ofText, pathParams, templatePreviews } from "../common/template-previews.ts";
import {
  builtInEntry,
  builtInTemplate,
  dataSetName,
  difference,
  newText,
  overview,
  revision,
  stored,
  template,
  templateName,
  textName,
  version,
} from "../common/template-schemas.ts";
import { page, pageQuery } from "./common.ts";

const c = initContract();

const versionParams = pathParams.extend({
  version: z.string().meta({ description: "Number of the version.", examples: ["3"] }),
});

const ofOne = ["template.not_found"] as const;
const ofChange = ["template.not_found", "template.stale"] as const;
const ofDraft = [...ofChange, "template.draft_missing"] as const;

const based = z.strictObject({ revision });
const versionNumber = (description: string) => z.int().min(1).max(999_999_999).meta({ description });

export const templates = c.router({
  listTemplates: {
    method: "GET",
    path: "/api/templates",
    summary: "List templates",
    description:
      "Lists templates by name, without their text, including templates that were never published. With a filter, a page can be shorter than its limit, or empty, although there is a next page.",
    query: pageQuery.extend({
      search: z
        .string()
        .max(320)
        .optional()
        .meta({
          description: "Part of the name or of the subject. Not case-sensitive.",
          examples: ["welcome"],
        }),
      state: z
        .enum(["published", "draft", "unpublished"])
        .optional()
        .meta({
          description:
            "`published`: a version is published. `unpublished`: none is published. `draft`: there is a draft, with or without a published version.",
          examples: ["draft"],
        }),
    }),
    ...reading({
      access: "templates.read",
      faults: ["request.validation_failed"],
      success: { 200: page("TemplateList", overview) },
    }),
  },
  createTemplate: {
    method: "POST",
    path: "/api/templates",
    summary: "Create a template",
    description: "Creates a template with a draft. The draft can have errors. Nothing is published.",
    body: newText.extend({ name: templateName }).meta({ id: "CreateTemplateRequest" }),
    ...changing({ access: "templates.write", faults: ["template.exists"], success: { 201: template } }),
  },
  getTemplate: {
    method: "GET",
    path: "/api/templates/:template",
    pathParams,
    summary: "Get a template",
    description:
      "Returns the draft, or the published text if there is no draft, with its errors and the test data.",
    ...reading({ access: "templates.read", faults: ofOne, success: { 200: template } }),
  },
  saveDraft: {
    method: "PUT",
    path: "/api/templates/:template/draft",
    pathParams,
    summary: "Save a draft",
    description:
      "Replaces the draft. A draft with errors is saved too, and the response lists them with line and column. The published text does not change.",
    body: newText.extend({ revision }).meta({ id: "SaveDraftRequest" }),
    ...changing({ access: "templates.write", faults: ofChange, success: { 200: template } }),
  },
  discardDraft: {
    method: "POST",
    path: "/api/templates/:template/discard",
    pathParams,
    summary: "Discard the draft",
    description:
      "Discards the draft. The published text does not change. A template that was never published is empty afterwards.",
    body: based.meta({ id: "DiscardDraftRequest" }),
    ...changing({ access: "templates.write", faults: ofDraft, success: { 200: template } }),
  },
  publishDraft: {
    method: "POST",
    path: "/api/templates/:template/publish",
    pathParams,
    summary: "Publish the draft",
    description:
      "Publishes the draft as the next version. All processes use it for new messages within five seconds. A draft with errors is refused. A draft that equals the published text creates no new version.",
    body: based.meta({ id: "PublishDraftRequest" }),
    ...changing({ access: "templates.write", faults: ofDraft, success: { 200: template } }),
  },
  rollBack: {
    method: "POST",
    path: "/api/templates/:template/roll-back",
    pathParams,
    summary: "Roll back to a version",
    description: "Publishes the text of an earlier version as the next one. The draft stays.",
    body: based.extend({ version: versionNumber("Version to publish again.") }).meta({
      id: "RollBackRequest",
    }),
    ...changing({
      access: "templates.write",
      faults: [...ofChange, "template.version_not_found"],
      success: { 200: template },
    }),
  },
  restoreDraft: {
    method: "POST",
    path: "/api/templates/:template/restore-draft",
    pathParams,
    summary: "Restore a version as the draft",
    description: "Replaces the draft by the text of a version. The published text does not change.",
    body: based.extend({ version: versionNumber("Version to copy to the draft.") }).meta({
      id: "RestoreDraftRequest",
    }),
    ...changing({
      access: "templates.write",
      faults: [...ofChange, "template.version_not_found"],
      success: { 200: template },
    }),
  },
  putTestData: {
    method: "PUT",
    path: "/api/templates/:template/test-data",
    pathParams,
    summary: "Save test data",
    description: "Saves the test data for previews and tests. Without `data`, the test data is removed.",
    body: based.extend({ data }).meta({ id: "PutTestDataRequest" }),
    ...changing({ access: "templates.write", faults: ofChange, success: { 200: template } }),
  },
  putDataSet: {
    method: "PUT",
    path: "/api/templates/:template/data-sets",
    pathParams,
    summary: "Save a data set",
    description:
      "Saves a named data set for previews and tests, or replaces it. Without `data`, the data set is removed. A template has up to 10 named data sets, with up to 1 MB together. `default` is the test data.",
    body: based.extend({ data_set: dataSetName, data }).meta({ id: "PutDataSetRequest" }),
    ...changing({ access: "templates.write", faults: ofChange, success: { 200: template } }),
  },
  listVersions: {
    method: "GET",
    path: "/api/templates/:template/versions",
    pathParams,
    summary: "List the versions of a template",
    description: "Lists the versions without their text, newest first.",
    query: pageQuery,
    ...reading({
      access: "templates.read",
      faults: [...ofOne, "request.validation_failed"],
      success: { 200: page("TemplateVersionList", version) },
    }),
  },
  getVersion: {
    method: "GET",
    path: "/api/templates/:template/versions/:version",
    pathParams: versionParams,
    summary: "Get a version",
    description: "Returns a version with its text.",
    ...reading({
      access: "templates.read",
      faults: [...ofText, "request.validation_failed"],
      success: { 200: stored },
    }),
  },
  compareVersions: {
    method: "GET",
    path: "/api/templates/:template/diff",
    pathParams,
    summary: "Compare two texts",
    description:
      "Compares two versions, or the draft and the published text, field by field and line by line.",
    query: z.strictObject({
      before: textName.optional().meta({ description: "Earlier text. Default: `published`." }),
      after: textName.optional().meta({ description: "Later text. Default: `draft`." }),
    }),
    ...reading({
      access: "templates.read",
      faults: [...ofText, "request.validation_failed"],
      success: { 200: difference },
    }),
  },
  ...templatePreviews,
  duplicateTemplate: {
    method: "POST",
    path: "/api/templates/:template/duplicate",
    pathParams,
    summary: "Copy a template",
    description:
      "Copies the draft, or the published text if there is no draft, to the draft of a new template. Copies the test data and the data sets too.",
    body: z.strictObject({ new_name: templateName }).meta({ id: "DuplicateTemplateRequest" }),
    ...changing({
      access: "templates.write",
      faults: [...ofOne, "template.exists"],
      success: { 201: template },
    }),
  },
  deleteTemplate: {
    method: "DELETE",
    path: "/api/templates/:template",
    query: removalQuery.extend({ if_revision: ifRevision }),
    pathParams,
    summary: "Delete a template",
    description:
      "Deletes a template with its draft, versions, test data and data sets. Accepted messages are still sent, because they contain the filled-in text. A later template with the same name continues the version numbers.",
    body: c.noBody(),
    ...changing({
      access: "templates.write",
      faults: [...ofChange, "resource.in_use", "auth.reauthentication_required"],
      success: { 200: forcedRemoval, 204: c.noBody() },
    }),
  },
  listBuiltInTemplates: {
    method: "GET",
    path: "/api/built-in-templates",
    summary: "List built-in templates",
    description:
      "Lists the templates that are part of Hermod, without their bodies. They are the same for all accounts.",
    ...reading({
      access: "templates.read",
      success: {
        200: z.object({ data: z.array(builtInEntry) }).meta({ id: "BuiltInTemplateList" }),
      },
    }),
  },
  // Built-in templates are separate from the account's templates, which can have the same names.
  getBuiltInTemplate: {
    method: "GET",
    path: "/api/built-in-templates/:template",
    pathParams: z.object({
      template: z.string().meta({
        description:
          "Name of the template: `welcome`, `reset`, `receipt`, `invitation`, `digest` or `alert`. Later versions may add templates.",
        examples: ["welcome"],
      }),
    }),
    summary: "Get a built-in template",
    description:
      "Returns a template that is part of Hermod; `alert` is the default template of alert mail. To use or change it, create a template of the account from it.",
    ...reading({ access: "templates.read", faults: ofOne, success: { 200: builtInTemplate } }),
  },
});
