import { readdirSync, readFileSync } from "node:fs";

/** Snippets that a page offers for pasting. */
export interface Snippet {
  /** As `docs/reference/webhooks.md:143`. */
  readonly place: string;
  /** Language after the fence; empty: none. */
  readonly language: string;
  readonly text: string;
}

/** The pages that users read. */
export const documentPages = [
  "README.md",
  ...readdirSync("docs", { recursive: true, encoding: "utf8" }).map((name) => `docs/${name}`),
].filter((name) => name.endsWith(".md"));

/** Returns all fenced blocks of a page (CommonMark section 4.5), including those in lists, without their indentation. */
export function snippetsOf(page: string, markdown = readFileSync(page, "utf8")): Snippet[] {
  const snippets: Snippet[] = [];
  let open: { fence: string; indent: string; language: string; line: number; lines: string[] } | undefined;
  for (const [index, line] of markdown.split("\n").entries()) {
    const [, indent = "", fence = "", language = ""] = /^( *)(`{3,}|~{3,})\s*([^\s`]*)/.exec(line) ?? [];
    if (!open && fence) open = { fence, indent, language, line: index + 1, lines: [] };
    else if (open && fence.startsWith(open.fence) && language === "") {
      const text = `${open.lines.join("\n")}\n`;
      snippets.push({ place: `${page}:${open.line}`, language: open.language, text });
      open = undefined;
    } else open?.lines.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line);
  }
  if (open) throw new Error(`The block of ${page}:${open.line} has no end.`);
  return snippets;
}
