import { useSyncExternalStore } from "react";

/** A part of the page that the server no longer has, or that could not be read. */
export class MissingPart extends Error {
  constructor(cause: unknown) {
    super("A part of the page could not be loaded.", { cause });
    this.name = "MissingPart";
  }
}

/** `new`: the server now has other pages. `incomplete`: a part of this page is gone, or could not be loaded. */
export type PageVersion = "current" | "new" | "incomplete";

let version: PageVersion = "current";
let isChecking = false;
const listeners = new Set<() => void>();

function become(next: PageVersion): void {
  version = next;
  for (const listener of listeners) listener();
}

/** The name of the first script of a document contains the hash of all pages. */
const scriptOf = (page: Document): string =>
  page.querySelector("script[type=module][src]")?.getAttribute("src") ?? "";

/**
 * The document that the server has now.
 * @throws if the server cannot be reached
 */
async function loadDocument(): Promise<Document> {
  const answer = await fetch(document.baseURI, { cache: "no-store", credentials: "omit" });
  if (!answer.ok) throw new Error("The server has no page.");
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

/** Checks whether the server has other pages now. This loads nothing again. */
export async function checkVersion(): Promise<void> {
  if (isChecking || version === "new") return;
  isChecking = true;
  try {
    const script = scriptOf(await loadDocument());
    if (script !== "" && script !== scriptOf(document)) become("new");
  } catch {
    // A lost connection is reported elsewhere.
  } finally {
    isChecking = false;
  }
}

/** Reloads the page once the server can be reached: without a connection, the browser would show nothing. */
export async function reloadPage(): Promise<void> {
  await loadDocument();
  window.location.reload();
}

/** A part of the page could not be loaded: another version has replaced it, or the connection is lost. */
async function reportMissingPart(): Promise<void> {
  try {
    const script = scriptOf(await loadDocument());
    become(script === scriptOf(document) ? "incomplete" : "new");
  } catch {
    // A lost connection is reported elsewhere.
  }
}

if (typeof window !== "undefined")
  window.addEventListener("vite:preloadError", () => void reportMissingPart());

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const usePageVersion = (): PageVersion => useSyncExternalStore(subscribe, () => version);
