#!/usr/bin/env node
// For containers: ends with 0 when the admin port of this machine answers /readyz (or the path that is given) with 200.
const port = process.env.HERMOD_ADMIN_PORT || "9090";
const path = process.argv[2] ?? "/readyz";
try {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(4000) });
  if (!answer.ok) throw new Error(`HTTP ${answer.status}: ${await answer.text()}`);
} catch (error) {
  console.error(`${path}: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
