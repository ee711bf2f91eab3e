import { lazyRouteComponent } from "@tanstack/react-router";
import { MissingPart } from "../api/page-version.ts";
import { Problem } from "../api/problem.ts";

/**
 * A page whose script is loaded with its first use. Where Hermod answers without the script, another version was deployed: the
 * page offers to load the document again. The router would do that by itself, and with it whatever the user has typed.
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
