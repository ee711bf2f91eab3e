/** What the build puts beside the compiled program: threads, and fonts. @param name as `report-thread.js` */
export function programFile(name: string): URL {
  return new URL(`${folderFrom(import.meta.url)}/${name}`, import.meta.url);
}

/** This module is in that program, or else runs as the compiler wrote it, or as its source. */
function folderFrom(url: string): string {
  if (url.endsWith(".ts")) return "../../dist/program";
  return url.includes("/dist/src/") ? "../../program" : ".";
}
