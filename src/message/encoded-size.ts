import type { MessageContent } from "./content.ts";

/** Placeholder until composed sizes are bounded. */
export function encodedSizeUpperBoundBytes(content: MessageContent): number {
  let bytes = 4_096;
  for (const text of [content.text ?? "", content.html ?? ""]) bytes += Buffer.byteLength(text) * 3;
  for (const part of content.attachments) bytes += part.content.byteLength * 1.5 + 4_096;
  return Math.ceil(bytes);
}
