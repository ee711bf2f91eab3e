#!/usr/bin/env node
// Bundles what the compiler wrote into dist/program, which is what runs: a start loads some twenty files instead of
// 1,400. Tests and tools go on to import the compiler's own files.
import { rolldown } from "rolldown";

const bundle = await rolldown({
  input: {
    main: "dist/src/main.js",
    // Threads, by the names under which they are started.
    thread: "dist/src/engine/thread.js",
    "fold-thread": "dist/src/engine/fold-thread.js",
    "compact-thread": "dist/src/engine/compact-thread.js",
  },
  platform: "node",
  external: [
    // Native code.
    "libsql",
    "@node-rs/argon2",
    // They read files that lie beside their own.
    "pino",
    /^@grpc\//,
    "grpc-health-check",
  ],
});
await bundle.write({ dir: "dist/program", cleanDir: true, keepNames: true });
await bundle.close();
