import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { Script } from "node:vm";
import { crc32 } from "node:zlib";

/** Output of `npm run build`. */
export const PROGRAM = path.resolve(import.meta.dirname, "../dist/program");
/** Suffix of the code cache of a file, which the build writes: V8's compiled code after the checksums of both. */
const CACHE = ".cache";
const SUMS_BYTES = 8;
/** On the first line, so that places in stack traces are those of the file. */
const HEAD = "(function (exports, require, module, __filename, __dirname) {";

/** Files that this thread has loaded, by name; `load` adds to it. */
const loaded = new Map();

/**
 * Runs a file of the program, once for each thread, with V8's code cache from the build: otherwise a third of the CPU
 * time of a start would be spent on compilation. V8 compiles a file if its cache is missing, damaged, or from another
 * version of Node.js.
 * @param {string} name such as `main.cjs`
 * @returns {unknown} the exports of the file
 */
export function load(name) {
  const known = loaded.get(name);
  if (known) return known.module.exports;
  const filename = path.join(PROGRAM, name);
  const source = readFileSync(filename);
  const script = new Script(`${HEAD}${source.toString()}\n})`, {
    filename,
    columnOffset: -HEAD.length,
    cachedData: readCache(filename + CACHE, source),
  });
  const module = { exports: {} };
  loaded.set(name, { module, script });
  const others = createRequire(filename);
  const require = (id) => (id.startsWith("./") ? load(id.slice(2)) : others(id));
  script
    .runInThisContext()
    .call(module.exports, module.exports, Object.assign(require, others), module, filename, PROGRAM);
  return module.exports;
}

/**
 * The code caches of the files that this thread has loaded, with all functions that it has called so far.
 * @returns {[file: string, cache: Buffer][]}
 */
export function caches() {
  return [...loaded].map(([name, { script }]) => {
    const file = path.join(PROGRAM, name);
    const code = script.createCachedData();
    return [file + CACHE, Buffer.concat([sums(readFileSync(file), code), code])];
  });
}

/** V8 checks only the length of the source, and a damaged cache ends the process. */
function readCache(file, source) {
  let cache;
  try {
    cache = readFileSync(file);
  } catch {
    return undefined;
  }
  const code = cache.subarray(SUMS_BYTES);
  return cache.subarray(0, SUMS_BYTES).equals(sums(source, code)) ? code : undefined;
}

function sums(source, code) {
  const bytes = Buffer.alloc(SUMS_BYTES);
  bytes.writeUInt32LE(crc32(source));
  bytes.writeUInt32LE(crc32(code), 4);
  return bytes;
}
