import { lazyRouteComponent } from "@tanstack/react-router";
import { MissingPart } from "../api/page-version.ts";
import { Problem } from "../api/problem.ts";

/**
 * A page with a script that is loaded on first use. If Hermod responds without the script, another version was deployed, and
 * the page offers to reload the document. The router would reload it automatically, and discard the user's input.
 */
export const lazyPage = <Module extends Record<string, unknown>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) =>
  lazyRouteComponent<Module, Name>(
    () =>
      load().catch(async (error: unknown) => {
        if (await isReachable()) throw new MissingPart(error);
        throw new Problem({ code: "network", status: 0, detail: "Hermod cannot be reached." });
      }),
    name,
  );

const isReachable = () =>
  fetch(document.baseURI, { method: "HEAD", cache: "no-store" }).then(
    () => true,
    () => false,
  );
