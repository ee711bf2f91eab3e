import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

it("the OpenAPI documents pass Spectral without a hint", async () => {
  const { stdout } = await promisify(execFile)("node_modules/.bin/spectral", [
    "lint",
    "--fail-severity=hint",
    "gen/openapi.json",
    "gen/openapi-3.0.json",
    "gen/dashboard-openapi.json",
  ]);
  expect(stdout).toContain("No results");
});
