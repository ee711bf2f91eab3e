// Loaded before the program (`node --import`), in each of its threads: at their end it writes V8's code caches.
import { statSync, writeFileSync } from "node:fs";
import { caches } from "../bin/load-program.js";

process.on("exit", () => {
  for (const [file, cache] of caches()) {
    // Several threads and processes load a file. The one that has called most of its functions writes the cache.
    const { size = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
    if (size < cache.length) writeFileSync(file, cache);
  }
});
