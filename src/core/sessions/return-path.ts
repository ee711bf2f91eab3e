import { validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";

const MAX_LENGTH = 2_000;
/** Any origin: only paths are compared. */
const BASE = "https://hermod.invalid/dashboard";

/**
 * A path of the dashboard, as its pages name it: `/messages?state=failed`. Nothing that a browser could take for another site
 * or for a page outside the dashboard passes.
 *
 * @returns the path in the form that browsers write; empty: none is asked for
 * @throws Fault request.validation_failed
 */
export function readReturnPath(given: string): string {
  if (given === "") return "";
  const path = given.length <= MAX_LENGTH ? pathOf(given) : undefined;
  if (path !== undefined) return path;
  const message = say("dashboard_path", { max: MAX_LENGTH });
  throw validationFault([{ pointer: "/return_to", code: "field.invalid", message }]);
}

function pathOf(given: string): string | undefined {
  // Browsers read a backslash as a slash, and drop tabs and line ends.
  if (!/^\/(?!\/)/.test(given) || /[\\\p{Cc}\p{Cs}]/u.test(given) || !URL.canParse(`${BASE}${given}`))
    return undefined;
  const { origin, pathname, search, hash } = new URL(`${BASE}${given}`);
  const base = new URL(BASE);
  if (origin !== base.origin || !pathname.startsWith(`${base.pathname}/`)) return undefined;
  const path = `${pathname.slice(base.pathname.length)}${search}${hash}`;
  return path.startsWith("//") ? undefined : path;
}
