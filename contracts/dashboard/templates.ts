import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { forcedRemoval, removalQuery } from "../common/resource-use.ts";
import { ifRevision } from "../common/revision.ts";
import { changing, reading } from "../common/session-access.ts";
import {
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
  description:
    "Taken in the place of the test data: a JSON object of up to 1 MB, 32 levels and 10,000 values.",
});
const based = z.strictObject({ revision });

export const templates = c.router({
  listTemplates: {
    method: "GET",
    path: "/api/templates",
    summary: "List templates",
    description: "By name, without their text; those that were never published too.",
    query: pageQuery,
    ...reading({
      access: "templates.read",
      faults: ["request.validation_failed"],
      success: { 200: page("TemplateList", overview) },
    }),
  },
  createTemplate: {
    method: "POST",
    path: "/api/templates",
    summary: "Make a template",
    description: "With a draft, which may have faults. Nothing is published.",
    body: newText.extend({ name: templateName }).meta({ id: "CreateTemplateRequest" }),
    ...changing({ access: "templates.write", faults: ["template.exists"], success: { 201: template } }),
  },
  getTemplate: {
    method: "GET",
    path: "/api/templates/:template",
    pathParams,
    summary: "See a template",
    description: "Its draft, or else what is published, with what is wrong with that, and the test data.",
    ...reading({ access: "templates.read", faults: ofOne, success: { 200: template } }),
  },
  saveDraft: {
    method: "PUT",
    path: "/api/templates/:template/draft",
    pathParams,
    summary: "Save a draft",
    description:
      "In the place of the former one. It is kept with faults, which the answer names with line and column; what is published stays as it is.",
    body: newText.extend({ revision }).meta({ id: "SaveDraftRequest" }),
    ...changing({ access: "templates.write", faults: ofChange, success: { 200: template } }),
  },
  discardDraft: {
    method: "POST",
    path: "/api/templates/:template/discard",
    pathParams,
    summary: "Discard the draft",
    description: "What is published stays as it is. A template that was never published is empty then.",
    body: based.meta({ id: "DiscardDraftRequest" }),
    ...changing({ access: "templates.write", faults: ofDraft, success: { 200: template } }),
  },
  publishDraft: {
    method: "POST",
    path: "/api/templates/:template/publish",
    pathParams,
    summary: "Publish the draft",
    description:
      "As the next version, which messages get from now on, in all processes within five seconds. A draft with faults is refused. One that says what is published already makes no new version.",
    body: based.meta({ id: "PublishDraftRequest" }),
    ...changing({ access: "templates.write", faults: ofDraft, success: { 200: template } }),
  },
  rollBack: {
    method: "POST",
    path: "/api/templates/:template/roll-back",
    pathParams,
    summary: "Roll back to a version",
    description: "Publishes the text of an earlier version as the next one. The draft stays.",
    body: based
      .extend({
        version: z
          .int()
          .min(1)
          .max(999_999_999)
          .meta({ description: "The version whose text is wanted again." }),
      })
      .meta({ id: "RollBackRequest" }),
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
    summary: "Keep test data",
    description: "What previews and tests are filled in with. Without `data` there is none any more.",
    body: based.extend({ data }).meta({ id: "PutTestDataRequest" }),
    ...changing({ access: "templates.write", faults: ofChange, success: { 200: template } }),
  },
  listVersions: {
    method: "GET",
    path: "/api/templates/:template/versions",
    pathParams,
    summary: "See the history of a template",
    description: "Its versions without their text, the latest first.",
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
    summary: "See a version",
    description: "With its text.",
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
    description: "Field by field, line by line: two versions, or the draft and what is published.",
    query: z.strictObject({
      before: textName.optional().meta({ description: "The earlier text (`published`)." }),
      after: textName.optional().meta({ description: "The later text (`draft`)." }),
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
      "Fills a text in, with the test data or with other data, and sends nothing. What goes wrong is in the answer. Html is a string: whoever shows it does so in a sandbox.",
    body: z
      .strictObject({
        version: textName.optional().meta({
          description: "Which text (the draft, or else what is published).",
        }),
        data,
      })
      .meta({ id: "PreviewTemplateRequest" }),
    ...changing({ access: "templates.read", faults: ofText, success: { 200: preview } }),
  },
  sendTest: {
    method: "POST",
    path: "/api/templates/:template/test",
    pathParams,
    summary: "Send a template to try it out",
    description:
      "Fills a text in and sends it to one address: a message of the account, by its verified senders, limits, policies and suppression list, with the tag `template-test`. Needs the permission `email.send` too.",
    body: z
      .strictObject({
        to: z.string().meta({ description: "One address.", examples: ["ada@example.com"] }),
        version: textName.optional().meta({
          description: "Which text (the draft, or else what is published).",
        }),
        data,
        from: z
          .string()
          .optional()
          .meta({ description: "The sender, in the place of the template's; needed where that names none." }),
        routing_policy: z
          .string()
          .optional()
          .meta({ description: "Name of the routing policy; missing: the account's default policy." }),
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
              description: "Names the message.",
              examples: ["msg_01k9z4c3r8h2v6y0n5t7w1x3q9"],
            }),
            sx_trace_id: z.string().meta({ description: "Finds it in the log." }),
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
      "Its draft, or else what is published, becomes the draft of a new template; so do its test data.",
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
      "With draft, versions and test data. Messages that were accepted are sent as they are, for they hold the text that was filled in. A later template of this name goes on with the next number.",
    body: c.noBody(),
    ...changing({
      access: "templates.write",
      faults: [...ofChange, "resource.in_use", "auth.reauthentication_required"],
      success: { 200: forcedRemoval, 204: c.noBody() },
    }),
  },
  // Beside those of the account, which may have the same names.
  getBuiltInTemplate: {
    method: "GET",
    path: "/api/built-in-templates/:template",
    pathParams: z.object({
      template: z.string().meta({ description: "Its name: `alert`.", examples: ["alert"] }),
    }),
    summary: "See a built-in template",
    description:
      "How Hermod writes mail where nothing else is said; `alert` is that of alerts. With another name it can be made a template of the account, and changed.",
    ...reading({ access: "templates.read", faults: ofOne, success: { 200: builtInTemplate } }),
  },
});
