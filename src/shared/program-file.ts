/** A file that the build puts next to the compiled program: threads and fonts. @param name such as `report-thread.js` */
export function programFile(name: string): URL {
  return new URL(`${folderFrom(import.meta.url)}/${name}`, import.meta.url);
}

/** This module is part of the compiled program, or runs from the compiler's output or from its source. */
function folderFrom(url: string): string {
  if (url.endsWith(".ts")) return "../../dist/program";
  return url.includes("/dist/src/") ? "../../program" : ".";
}
