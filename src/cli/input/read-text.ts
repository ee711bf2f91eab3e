import { readFile } from "node:fs/promises";
import type { Environment } from "../environment.ts";
import { InputError } from "./read-options.ts";

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "the file does not exist",
  EISDIR: "it is a folder",
  EACCES: "permission denied",
  EPERM: "permission denied",
};

/**
 * Reads the text of a file, or of standard input for `-`.
 * @throws InputError when it cannot be read or is not UTF-8.
 */
export async function readText(file: string, input: Environment["input"]): Promise<string> {
  const bytes = await readBytes(file, input);
  try {
    // The decoder drops a byte order mark.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new InputError(`${shownName(file)} is not UTF-8 text.`, { cause });
  }
}

export function shownName(file: string): string {
  return file === "-" ? "standard input" : file;
}

/**
 * Reads the bytes of a file, or of standard input for `-`.
 * @throws InputError when it cannot be read
 */
export async function readBytes(file: string, input: Environment["input"]): Promise<Buffer> {
  if (file === "-") return readAll(input ?? process.stdin);
  try {
    return await readFile(file);
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    throw new InputError(`${file} cannot be read: ${REASONS[code] ?? code}.`, { cause });
  }
}

async function readAll(input: AsyncIterable<Uint8Array | string>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of input) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
