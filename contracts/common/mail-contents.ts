import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { text } from "./text-field.ts";

const c = initContract();

const headerField = z
  .object({
    name: text("Its name; empty: the line is no field.", "Subject"),
    value: text("Decoded.", "Größe"),
    raw: text("As it was sent.", "Subject: =?utf-8?Q?Gr=C3=B6=C3=9Fe?="),
  })
  .meta({ id: "MailHeaderField", description: "A header field, in the order of the message." });

const attachment = z
  .object({
    filename: z.string().nullable().meta({ description: "As the mail names it; null: it does not." }),
    content_type: text("As the mail says.", "application/pdf"),
    size_bytes: z.int().meta({ description: "Decoded." }),
    content_id: z.string().nullable().meta({ description: "By which html shows it; null: it has none." }),
    disposition: z.enum(["attachment", "inline"]).meta({ description: "How it is meant to be shown." }),
  })
  .meta({ id: "MailAttachment", description: "An attachment; they count from 0." });

/** What can be read of a mail, wherever it is kept. */
export const mailContents = {
  headers: z.array(headerField).meta({ description: "Its header fields; the first 1,000." }),
  text: z
    .string()
    .nullable()
    .meta({ description: "Its plain-text body; null: it has none. Its first million characters." }),
  html: z.string().nullable().meta({
    description:
      "Its HTML body, as hostile as it was sent; null: it has none. Its first million characters: all of it is shown by `/html`.",
  }),
  is_shortened: z
    .boolean()
    .meta({ description: "The text, the HTML or the header is longer than shown here." }),
  attachments: z.array(attachment).meta({ description: "Its attachments." }),
  parse_error: z
    .string()
    .nullable()
    .meta({ description: "Why it could not be read; its source can be fetched all the same." }),
};

/** Sent as it is: no schema sees the whole of it. */
export const octets = (contentType: string, description: string) =>
  c.otherResponse({ contentType, body: z.unknown().meta({ type: "string", description }) });
