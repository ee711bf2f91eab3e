import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { octets } from "./mail-contents.ts";
import { changing, reading } from "./session-access.ts";
import {
  dataSetName,
  newText,
  preview,
  templateName,
  testData,
  textName,
  textPreview,
} from "./template-schemas.ts";

const c = initContract();

export const pathParams = z.object({ template: templateName });
export const ofText = ["template.not_found", "template.version_not_found"] as const;
const ofFilling = ["template.variable_missing", "template.variable_type"] as const;

export const data = testData.optional().meta({
  description: "Data instead of the test data: a JSON object of up to 1 MB, 32 levels and 10,000 values.",
});
const dataSet = dataSetName.optional().meta({
  description:
    "Name of the data set to use: `default` is the test data. Not together with `data`. Default: `default`.",
});

/** Routes that render a text of a template: part of the contract `templates`. */
export const templatePreviews = c.router({
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
        data_set: dataSet,
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
      data_set: dataSetName
        .optional()
        .meta({ description: "Name of the data set to use. Default: `default`." }),
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
        data_set: dataSet,
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
});
