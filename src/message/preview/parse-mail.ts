import { CharsetDecoder } from "./charset-decoder.ts";

export interface MailAttachment {
  /** As the mail names it: hostile until proved otherwise. */
  readonly filename: string | null;
  readonly contentType: string;
  /** Without its angle brackets. */
  readonly contentId: string | null;
  readonly disposition: "attachment" | "inline";
  readonly content: Buffer;
}

export interface ParsedMail {
  /** Decoded, otherwise as it was sent. */
  readonly html: string | null;
  readonly text: string | null;
  readonly attachments: readonly MailAttachment[];
  /** Why the bodies and attachments could not be read; the source can be shown all the same. */
  readonly parseError: string | null;
}

/** Reads the bodies and attachments of a message; what cannot be read is a finding, never a failure. */
export async function parseMail(source: Buffer): Promise<ParsedMail> {
  try {
    // Loaded when somebody looks at a message: it is large, and most processes never need it.
    const { simpleParser } = await import("mailparser");
    // Only what the mail has: no text made of its html, no html of its text (which takes seconds), no links or pictures put into it.
    const mail = await simpleParser(source, {
      // The declaration asks for an instance; what is used is its constructor.
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

/** The media type of a picture that cannot carry script (SVG can); undefined for all else. */
export function rasterType({ contentType }: MailAttachment): string | undefined {
  const type = contentType.toLowerCase() === "image/jpg" ? "image/jpeg" : contentType.toLowerCase();
  return RASTER_TYPES.has(type) ? type : undefined;
}
