import { lazyRouteComponent } from "@tanstack/react-router";
import { Problem } from "../api/problem.ts";

/**
 * A page whose script is loaded with its first use. Where Hermod answers without the script, another version was deployed, and the
 * router loads the document again. Without an answer that would leave the browser's own error page: the page says so instead.
 */
export const lazyPage = <Module extends Record<string, unknown>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) =>
  lazyRouteComponent<Module, Name>(
    () =>
      load().catch(async (error: unknown) => {
        if (await isReachable()) throw error;
        throw new Problem({ code: "network", status: 0, detail: "Hermod cannot be reached." });
      }),
    name,
  );

const isReachable = () =>
  fetch(document.baseURI, { method: "HEAD", cache: "no-store" }).then(
    () => true,
    () => false,
  );
