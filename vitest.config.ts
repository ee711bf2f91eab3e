import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "contracts/**/*.test.ts", "test/**/*.test.ts"],
    globalSetup: ["test/harness/build-once.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Two cores: real processes run beside the tests, so more workers only make each of them wait.
    maxWorkers: 2,
  },
});
