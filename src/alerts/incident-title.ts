import type { Alert } from "./alert.ts";

const MAX_LENGTH = 100;
/**
 * Controls, and marks that turn the direction of what follows: in a subject they mislead, or break it. The two that join letters, and
 * emoji, are left.
 */
const HOSTILE = /(?:(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}])+/gu;

/** One line that is harmless wherever it is shown. */
export function oneLine(text: string, most: number): string {
  const line = text.replace(HOSTILE, " ").replace(/\s+/g, " ").trim();
  const characters = [...line];
  return characters.length <= most
    ? line
    : `${characters
        .slice(0, most - 1)
        .join("")
        .trimEnd()}…`;
}

/** The subject of an incident: the same from its first mail to its last, or mail programs would not keep them together. */
export function incidentTitle({ severity, eventType, source, message, entityType, entityId }: Alert): string {
  const entity = [entityType, entityId].filter(Boolean).join(" ");
  const behind = entity === "" ? "" : ` (${oneLine(entity, 30)})`;
  const before = `[${severity}] ${oneLine(source, 30)}: `;
  const room = MAX_LENGTH - [...before, ...behind].length;
  const what = oneLine(message, Math.max(20, room)) || oneLine(eventType, 20);
  return `${before}${what}${behind}`;
}
