import { fillTemplate } from "./fill-template.ts";
import { numberText } from "./number-text.ts";
import { ownText } from "./own-text.ts";
import { t } from "./texts.ts";

/** A problem document, or one entry of its `errors`. */
interface SaidFault {
  readonly code: string;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * The text of a fault in the language of the page.
 * @param english text of the server, for codes and reasons that are not in the catalog, and for missing params
 */
export function faultText({ code, params = {} }: SaidFault, english: string): string {
  const { ofCodes, ofReasons } = t.faults;
  if (typeof params.reason !== "string") return ownText(ofCodes, code) ?? english;
  const template = ownText(ofReasons, params.reason);
  return (template === undefined ? undefined : fillTemplate(template, params, show)) ?? english;
}

function show(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number") return numberText(value);
  return Array.isArray(value) ? value.join(", ") : undefined;
}
