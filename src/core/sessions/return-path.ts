import { validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";

const MAX_LENGTH = 2_000;
/** Any origin: only paths are compared. */
const BASE = "https://hermod.invalid/dashboard";

/**
 * Reads a path of the dashboard in the form that its pages use: `/messages?state=failed`. Text that a browser could
 * interpret as another site or as a page outside the dashboard is rejected.
 *
 * @returns the path in the form that browsers write; empty: none is requested
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
  // Browsers read a backslash as a slash, and remove tabs and line ends.
  if (!/^\/(?!\/)/.test(given) || /[\\\p{Cc}\p{Cs}]/u.test(given) || !URL.canParse(`${BASE}${given}`))
    return undefined;
  const { origin, pathname, search, hash } = new URL(`${BASE}${given}`);
  const base = new URL(BASE);
  if (origin !== base.origin || !pathname.startsWith(`${base.pathname}/`)) return undefined;
  const path = `${pathname.slice(base.pathname.length)}${search}${hash}`;
  return path.startsWith("//") ? undefined : path;
}
