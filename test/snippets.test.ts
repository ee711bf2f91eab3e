import { execFile } from "node:child_process";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { documentPages, snippetsOf } from "./harness/documents.ts";
import { tool } from "./harness/tools.ts";

const run = promisify(execFile);
const TSC = path.resolve("node_modules/typescript/bin/tsc");
const STRICT = [
  "--noEmit",
  "--strict",
  "--target",
  "es2022",
  "--module",
  "nodenext",
  "--types",
  "node",
  "--skipLibCheck",
];

interface Checker {
  /** Extension of the file. */
  readonly ends: string;
  /** The tool of the language, and its arguments before the file. */
  readonly command: readonly [string, ...string[]];
  /** A snippet that it must refuse. */
  readonly broken: string;
  readonly tool?: { readonly missing: boolean; readonly note: string };
  /** Returns the part of a snippet to check; missing: all of it. */
  readonly read?: (text: string) => string;
}

const shell: Checker = { ends: "sh", command: ["bash", "-n"], broken: "if true; then echo\n" };

/** Compilers and parsers of snippets, by the language of the fence. */
const checkers: Readonly<Record<string, Checker>> = {
  ts: {
    ends: "ts",
    command: [process.execPath, TSC, ...STRICT],
    broken: 'export const port: number = "25";\n',
  },
  js: { ends: "mjs", command: [process.execPath, "--check"], broken: "const = 1;\n" },
  python: {
    ends: "py",
    command: ["python3", "-c", "import ast, sys; ast.parse(open(sys.argv[1]).read())"],
    broken: "def read(:\n",
    tool: tool("python"),
  },
  go: { ends: "go", command: ["gofmt", "-e"], broken: "package main\nfunc main() {\n", tool: tool("go") },
  php: { ends: "php", command: ["php", "-l"], broken: "<?php function read( {\n", tool: tool("php") },
  ruby: { ends: "rb", command: ["ruby", "-c"], broken: "def read(\n", tool: tool("typhoeus") },
  sh: shell,
  bash: shell,
  console: {
    ...shell,
    // The other lines are output of the commands.
    read: (text) => text.replaceAll(/^(?!\$ ).*\n/gm, "").replaceAll(/^\$ /gm, ""),
    broken: "$ if true; then echo\n",
  },
};
/** Languages of data, which other tests read, and of output. */
const DATA = ["json", "yaml", "text", ""];

// test/flow/recipes.test.ts compiles and runs the recipes.
const all = documentPages
  .filter((page) => !page.startsWith("docs/how-to/recipes/"))
  .flatMap((page) => snippetsOf(page));
const programs = all.filter(({ language }) => !DATA.includes(language));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "hermod-snippets-"));
  await symlink(path.resolve("node_modules"), path.join(folder, "node_modules"));
  await writeFile(path.join(folder, "package.json"), '{"type":"module"}');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Rejects with the tool's errors about the snippet. */
async function check({ ends, command, read = (text) => text }: Checker, text: string): Promise<void> {
  const file = path.join(folder, `snippet.${ends}`);
  await writeFile(file, read(text));
  const [program, ...args] = command;
  await run(program, [...args, file], { cwd: folder });
}

describe("the snippets of README.md and docs", () => {
  it("are in languages that a tool checks, and blocks without a language hold no program", () => {
    expect(programs.filter(({ language }) => !Object.hasOwn(checkers, language))).toEqual([]);
    const looksLikeProgram =
      /^(import |from \w+ import|require |package main|<\?php|#!\/|curl |npm |node |docker |export |const |def )/m;
    expect(all.filter(({ language, text }) => language === "" && looksLikeProgram.test(text))).toEqual([]);
    expect(programs.length).toBeGreaterThan(20);
  });

  const present = programs.filter(({ language }) => !checkers[language]?.tool?.missing);
  it.each(present)("compile or parse: $language of $place", async ({ language, text }) => {
    await check(checkers[language] as Checker, text);
  });
});

describe.each(Object.entries(checkers))("the check of %s", (_language, checker) => {
  it.skipIf(checker.tool?.missing)(
    `refuses a snippet that is broken${checker.tool?.note ?? ""}`,
    async () => {
      await expect(check(checker, checker.broken)).rejects.toThrow();
    },
  );
});
