import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { text } from "./text-field.ts";

const c = initContract();

const headerField = z
  .object({
    name: text("Name of the field. Empty if the line is not a valid field.", "Subject"),
    value: text("Decoded value.", "Größe"),
    raw: text("Original line.", "Subject: =?utf-8?Q?Gr=C3=B6=C3=9Fe?="),
  })
  .meta({ id: "MailHeaderField", description: "Header field, in the order of the message." });

const attachment = z
  .object({
    filename: z.string().nullable().meta({ description: "File name in the message; `null` if it has none." }),
    content_type: text("Media type in the message.", "application/pdf"),
    size_bytes: z.int().meta({ description: "Decoded size, in bytes." }),
    content_id: z
      .string()
      .nullable()
      .meta({ description: "Content id, which the HTML body refers to; `null` if there is none." }),
    disposition: z
      .enum(["attachment", "inline"])
      .meta({ description: "Content disposition: `attachment` or `inline`." }),
  })
  .meta({ id: "MailAttachment", description: "Attachment. Attachments are numbered from 0." });

/** Contents of a stored e-mail. */
export const mailContents = {
  headers: z.array(headerField).meta({ description: "First 1,000 header fields." }),
  text: z
    .string()
    .nullable()
    .meta({ description: "First 1,000,000 characters of the plain-text body; `null` if there is none." }),
  html: z.string().nullable().meta({
    description:
      "First 1,000,000 characters of the HTML body; `null` if there is none. It is not sanitized. The route `/html` returns the whole body.",
  }),
  is_shortened: z.boolean().meta({ description: "`true` if the text, the HTML or the header is truncated." }),
  attachments: z.array(attachment).meta({ description: "Attachments." }),
  parse_error: z.string().nullable().meta({
    description:
      "Reason why the message could not be parsed; `null` if it was parsed. Its source is available in both cases.",
  }),
};

/** A response body that is streamed without validation. */
export const octets = (contentType: string, description: string) =>
  c.otherResponse({ contentType, body: z.unknown().meta({ type: "string", description }) });
