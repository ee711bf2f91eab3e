// Loaded before the program (`node --import`), in each of its threads: at their end it writes what V8 has compiled.
import { statSync, writeFileSync } from "node:fs";
import { caches } from "../bin/load-program.js";

process.on("exit", () => {
  for (const [file, cache] of caches()) {
    // Several threads and processes load a file: whoever has called the most of it writes it.
    const { size = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
    if (size < cache.length) writeFileSync(file, cache);
  }
});
