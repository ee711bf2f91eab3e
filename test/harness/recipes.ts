import { snippetsOf } from "./documents.ts";

/** A page of recipes as a script of Bash: what a reader who follows the page types. */
export interface Recipe {
  /** Writes the programs of the page and runs its commands, in their order. */
  readonly script: string;
  /** The command that runs by itself, after the others: a server, or a program that needs a received request. */
  readonly byItself: string;
}

/** Programs name their file in their first line: `# send.py`, `// send.mjs`, `<?php // send.php`. */
const FILE = /^(?:<\?php )?(?:#|\/\/) (\w+\.\w+)\n/;
const BY_ITSELF = /^<!-- runs by itself: .+ -->$/;
/** It stands for something of the reader's own, as in `hm_live_…`. */
const FORM = /^.*….*\n/gm;

/** @throws Error the page has no command that runs by itself, or several */
export function readRecipe(page: string, markdown: string): Recipe {
  const lines = markdown.split("\n");
  const steps: string[] = [];
  const byItself: string[] = [];
  for (const { language, text, place } of snippetsOf(page, markdown)) {
    const line = Number(place.split(":")[1]);
    const [, file] = FILE.exec(text) ?? [];
    if (file !== undefined) steps.push(`cat > ${file} <<'END OF FILE'\n${text}END OF FILE\n`);
    else if (language !== "sh") throw new Error(`${place} is neither a file nor a command.`);
    else if (BY_ITSELF.test(lines[line - 2] ?? "")) byItself.push(text);
    else steps.push(text.replaceAll(FORM, ""));
  }
  const [only, ...others] = byItself;
  if (only === undefined || others.length > 0)
    throw new Error(`${page} has ${byItself.length} commands that run by themselves.`);
  return { script: steps.join(""), byItself: only };
}
