import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { documentPages } from "./harness/documents.ts";

const MOST_LINES = 300;
const MOST_LINES_OF_README = 150;
const INDEX = "docs/README.md";
/** Written by `npm run generate`: a row for each code. */
const GENERATED = ["docs/reference/errors.md"];
const KINDS = ["tutorials", "how-to", "reference", "explanation"];

const withoutBlocks = (markdown: string) => markdown.replaceAll(/^( *)(`{3,}|~{3,})[\s\S]*?^\1\2/gm, "");
const withoutCode = (markdown: string) => withoutBlocks(markdown).replaceAll(/`[^`\n]*`/g, "");

/** Anchors as GitHub derives them from headings, and those of `<a id>`. */
function anchorsOf(file: string): Set<string> {
  const markdown = readFileSync(file, "utf8");
  const anchors = new Set([...markdown.matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id));
  for (const [, heading = ""] of withoutBlocks(markdown).matchAll(/^#{1,6} (.+)$/gm)) {
    const text = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const anchor = text.replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(" ", "-");
    let free = anchor;
    for (let count = 1; anchors.has(free); count++) free = `${anchor}-${count}`;
    anchors.add(free);
  }
  return anchors;
}

/** Links of a page to files of this repository and to its own headings: `https:` and the like are not among them. */
function linksOf(page: string): { target: string; file: string; anchor: string | undefined }[] {
  const text = withoutCode(readFileSync(page, "utf8"));
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = ""]) => target)
    .filter((target) => !/^([a-z]+:|\/)/.test(target))
    .map((target) => {
      const [name = "", anchor] = target.split("#");
      return { target, file: name === "" ? page : path.join(path.dirname(page), name), anchor };
    });
}

const linesOf = (page: string) => readFileSync(page, "utf8").split("\n").length - 1;
const pages = documentPages.filter((page) => !GENERATED.includes(page));

describe("the documentation", () => {
  it("has a README of at most 150 lines and pages of at most 300", () => {
    expect(linesOf("README.md")).toBeLessThanOrEqual(MOST_LINES_OF_README);
    const long = pages.filter((page) => linesOf(page) > MOST_LINES);
    expect(long.map((page) => `${page}: ${linesOf(page)} lines`)).toEqual([]);
  });

  it("keeps every page in the folder of its kind", () => {
    const others = documentPages.filter(
      (page) =>
        page !== "README.md" && page !== INDEX && !KINDS.some((kind) => page.startsWith(`docs/${kind}/`)),
    );
    expect(others).toEqual([]);
  });

  it("lists every page in the index, each once", () => {
    const listed = linksOf(INDEX).map(({ file }) => file);
    const wanted = documentPages.filter((page) => page !== "README.md" && page !== INDEX);
    expect(listed.filter((file) => file.startsWith("docs/")).toSorted()).toEqual(wanted.toSorted());
  });

  it.each([...documentPages, "CHANGELOG.md"])("has no broken link or anchor in %s", (page) => {
    const broken = linksOf(page).filter(({ file, anchor }) => {
      if (!existsSync(file)) return true;
      if (anchor === undefined) return false;
      return !statSync(file).isFile() || !anchorsOf(file).has(anchor);
    });
    expect(broken.map(({ target }) => target)).toEqual([]);
  });
});
