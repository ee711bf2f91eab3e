import { domainToUnicode } from "node:url";

/** The name of a domain for people to read; as it is where it is no name in A-labels. @param name in A-labels */
export function unicodeName(name: string): string {
  return domainToUnicode(name) || name;
}
