import { domainToUnicode } from "node:url";

/** Domain name for people; unchanged if it has no A-labels. @param name in A-labels */
export function unicodeName(name: string): string {
  return domainToUnicode(name) || name;
}
