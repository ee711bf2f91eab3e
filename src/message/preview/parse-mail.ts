import { CharsetDecoder } from "./charset-decoder.ts";

export interface MailAttachment {
  /** Name in the mail, possibly hostile. */
  readonly filename: string | null;
  readonly contentType: string;
  /** Without its angle brackets. */
  readonly contentId: string | null;
  readonly disposition: "attachment" | "inline";
  readonly content: Buffer;
}

export interface ParsedMail {
  /** Decoded, otherwise unchanged. */
  readonly html: string | null;
  readonly text: string | null;
  readonly attachments: readonly MailAttachment[];
  /** Reason why the bodies and attachments could not be parsed; the source can still be shown. */
  readonly parseError: string | null;
}

/** Parses the bodies and attachments of a message; unreadable content is a finding, never a failure. */
export async function parseMail(source: Buffer): Promise<ParsedMail> {
  try {
    // Loaded at the first use: it is large, and most processes never need it.
    const { simpleParser } = await import("mailparser");
    // Only the content of the mail: no text derived from its html, no html derived from its text (which takes seconds), no
    // inserted links or pictures.
    const mail = await simpleParser(source, {
      // The declaration requires an instance, but the constructor is used.
      Iconv: CharsetDecoder as never,
      keepCidLinks: true,
      skipHtmlToText: true,
      skipTextToHtml: true,
      skipTextLinks: true,
    });
    return {
      html: typeof mail.html === "string" ? mail.html : null,
      text: mail.text || null,
      attachments: mail.attachments.map((attachment) => ({
        filename: attachment.filename || null,
        contentType: attachment.contentType || "application/octet-stream",
        contentId: attachment.cid || null,
        disposition: attachment.contentDisposition === "inline" ? "inline" : "attachment",
        content: attachment.content,
      })),
      parseError: null,
    };
  } catch (error) {
    const parseError = error instanceof Error ? error.message : String(error);
    return { html: null, text: null, attachments: [], parseError };
  }
}

const RASTER_TYPES = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "image/bmp",
  "image/avif",
]);

/** Media type of a picture without scripts (SVG can have them); undefined for all others. */
export function rasterType({ contentType }: MailAttachment): string | undefined {
  const type = contentType.toLowerCase() === "image/jpg" ? "image/jpeg" : contentType.toLowerCase();
  return RASTER_TYPES.has(type) ? type : undefined;
}
