import { readFileSync } from "node:fs";

/** A section of docs/explanation/architecture.md, without its title. */
export function architectureSection(title: string): string {
  const [, rest = ""] = readFileSync("docs/explanation/architecture.md", "utf8").split(`\n## ${title}\n`);
  return rest.split("\n## ")[0] ?? "";
}
