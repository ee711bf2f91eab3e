import type { AppRoute } from "@ts-rest/core";
import { api } from "../../contracts/index.ts";
import { type EmailParts, emails } from "./emails.ts";

/** What the areas of the public API need. */
export type AreaParts = EmailParts;

/** What answers the public API, area by area: a new one is a line here. */
export function areasOf(parts: AreaParts) {
  return { emails: emails(parts) };
}

/** All routes of the public API. */
export const everyRoute: readonly AppRoute[] = Object.values(api).flatMap((area) => Object.values(area));
