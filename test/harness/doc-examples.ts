/** A block of commands in a page of the documentation. */
export interface CommandBlock {
  /** Line of its fence, from 1. */
  readonly line: number;
  readonly commands: readonly string[];
  /** Reason why it cannot run in a test; undefined: it runs. */
  readonly notRun: string | undefined;
}

/** Precedes a fence: `<!-- not run: needs a server of another organization -->`. */
const MARK = /^<!-- not run: (.*) -->$/;
const COMMAND = /^((hermod|curl|npm|cat|jq|printf|msmtp|swaks|grpcurl) |[A-Z_]+=)/;
const LANGUAGES = ["sh", "console", ""];

/**
 * Returns the command blocks of a page in order: blocks in a shell language, and blocks without a language that
 * begin with a command.
 */
export function commandBlocks(page: string): CommandBlock[] {
  const blocks: CommandBlock[] = [];
  const lines = page.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const language = /^```(\w*)$/.exec(lines[at] ?? "")?.[1];
    if (language === undefined) continue;
    const end = lines.indexOf("```", at + 1);
    if (end === -1) throw new Error(`The block in line ${at + 1} has no end.`);
    const text = lines.slice(at + 1, end);
    const isShell = LANGUAGES.includes(language) && (language !== "" || COMMAND.test(text[0] ?? ""));
    const before = lines.slice(0, at).findLast((line) => line !== "") ?? "";
    if (isShell) blocks.push({ line: at + 1, commands: split(text), notRun: MARK.exec(before)?.[1] });
    at = end;
  }
  return blocks;
}

/** Splits a block into commands: a continued line and a here-document belong to the previous command. */
function split(lines: readonly string[]): string[] {
  const commands: string[] = [];
  let open: { readonly until: string } | undefined;
  let continued = false;
  for (const line of lines) {
    if (open || continued) commands.push(`${commands.pop()}\n${line}`);
    else if (line !== "" && !line.startsWith("#")) commands.push(line);
    if (open?.until === line) open = undefined;
    else if (!open) {
      const until = /<<'(\w+)'/.exec(line)?.[1];
      if (until !== undefined) open = { until };
      continued = line.endsWith("\\");
    }
  }
  return commands;
}

/** Whether a command contains a placeholder such as `acc_01k9…`, so it cannot run unchanged. */
export const isForm = (command: string) => command.includes("…");

/** Returns the JSON blocks of a page in order. */
export const jsonBlocks = (page: string): string[] =>
  [...page.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => text);
