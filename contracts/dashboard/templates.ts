import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { octets } from "../common/mail-contents.ts";
import { forcedRemoval, removalQuery } from "../common/resource-use.ts";
import { ifRevision } from "../common/revision.ts";
import { changing, reading } from "../common/session-access.ts";
import {
  builtInEntry,
  builtInTemplate,
  difference,
  newText,
  overview,
  preview,
  revision,
  stored,
  template,
  templateName,
  testData,
  textName,
  textPreview,
  version,
} from "../common/template-schemas.ts";
import { page, pageQuery } from "./common.ts";

const c = initContract();

const pathParams = z.object({ template: templateName });
const versionParams = pathParams.extend({
  version: z.string().meta({ description: "Number of the version.", examples: ["3"] }),
});

const ofOne = ["template.not_found"] as const;
const ofText = ["template.not_found", "template.version_not_found"] as const;
const ofChange = ["template.not_found", "template.stale"] as const;
const ofDraft = [...ofChange, "template.draft_missing"] as const;
const ofFilling = ["template.variable_missing", "template.variable_type"] as const;

const data = testData.optional().meta({
  description: "Data instead of the test data: a JSON object of up to 1 MB, 32 levels and 10,000 values.",
});
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
  previewTemplate: {
    method: "POST",
    path: "/api/templates/:template/preview",
    pathParams,
    summary: "Preview a template",
    description:
      "Fills in a text with the test data or with other data, and sends nothing. The response contains errors of the rendering. Four previews of an account can run at the same time.",
    body: z
      .strictObject({
        version: textName.optional().meta({
          description: "Text to fill in. Default: the draft, or the published text if there is no draft.",
        }),
        data,
      })
      .meta({ id: "PreviewTemplateRequest" }),
    ...changing({ access: "templates.read", faults: ofText, success: { 200: preview } }),
  },
  previewText: {
    method: "POST",
    path: "/api/templates/preview",
    summary: "Preview a text",
    description:
      "Fills in the text of the request, and stores and sends nothing. The response contains the errors of the text and of the rendering, with line and column. Four such previews of an account can run at the same time.",
    body: newText
      .extend({
        data: testData.optional().meta({
          description: "Data: a JSON object of up to 1 MB, 32 levels and 10,000 values. Default: no data.",
        }),
      })
      .meta({ id: "PreviewTextRequest" }),
    ...changing({ access: "templates.read", success: { 200: textPreview } }),
  },
  getTemplateDocument: {
    method: "GET",
    path: "/api/templates/:template/document",
    pathParams,
    summary: "Show the HTML of a template",
    description:
      "Fills in a text with the test data, and returns its HTML as a document for a frame of the dashboard. A content security policy isolates it as a separate origin: it cannot run scripts or load resources. A text with errors is refused.",
    query: z.strictObject({
      version: textName.optional().meta({
        description: "Text to fill in. Default: the draft, or the published text if there is no draft.",
      }),
    }),
    ...reading({
      access: "templates.read",
      faults: [...ofText, ...ofFilling, "request.validation_failed", "request.cross_site"],
      success: { 200: octets("text/html; charset=utf-8", "HTML with the test data.") },
    }),
  },
  sendTest: {
    method: "POST",
    path: "/api/templates/:template/test",
    pathParams,
    summary: "Send a test of a template",
    description:
      "Fills in a text and sends it to one address. The message belongs to the account: its verified senders, limits, policies and suppression list apply. It has the tag `template-test`. Also needs the permission `email.send`.",
    body: z
      .strictObject({
        to: z.string().meta({ description: "One recipient address.", examples: ["ada@example.com"] }),
        version: textName.optional().meta({
          description: "Text to fill in. Default: the draft, or the published text if there is no draft.",
        }),
        data,
        from: z.string().optional().meta({
          description: "Sender instead of the template's sender. Required if the template has none.",
        }),
        routing_policy: z
          .string()
          .optional()
          .meta({ description: "Name of the routing policy. Missing: the account's default policy." }),
      })
      .meta({ id: "SendTestRequest" }),
    ...changing({
      access: "templates.write",
      faults: [
        ...ofText,
        ...ofFilling,
        "policy.unknown",
        "sender.unverified",
        "message.too_large",
        "rate.limited",
      ],
      success: {
        202: z
          .object({
            message_id: z.string().meta({
              description: "Id of the message.",
              examples: ["msg_01k9z4c3r8h2v6y0n5t7w1x3q9"],
            }),
            sx_trace_id: z.string().meta({ description: "Trace id of the message, for logs." }),
          })
          .meta({ id: "TestSent", description: "The message was accepted." }),
      },
    }),
  },
  duplicateTemplate: {
    method: "POST",
    path: "/api/templates/:template/duplicate",
    pathParams,
    summary: "Copy a template",
    description:
      "Copies the draft, or the published text if there is no draft, to the draft of a new template. Copies the test data too.",
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
      "Deletes a template with its draft, versions and test data. Accepted messages are still sent, because they contain the filled-in text. A later template with the same name continues the version numbers.",
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
