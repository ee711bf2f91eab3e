import { defineConfig } from "vitest/config";

// The suite runs twice: on the embedded engine and, with MONGODB_URL, on MongoDB. What no store can change runs once.
const onMongoDb = Boolean(process.env.MONGODB_URL);
const storeless = [
  "src/**",
  "contracts/**",
  "test/embedded/**",
  "test/message/**",
  "test/grpc/{core-calls,dispatch,several-cores,streaming-calls}.test.ts",
  "test/smtp/relay-{commands,fuzz,hostile}.test.ts",
  "test/{architecture,catalogue,compose,openapi}.test.ts",
];

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "contracts/**/*.test.ts", "test/**/*.test.ts"],
    exclude: ["node_modules/**", ...(onMongoDb ? storeless : [])],
    globalSetup: ["test/harness/build-once.ts"],
    // A MongoDB server for tests may run under Wine, where it stalls for seconds now and then.
    testTimeout: onMongoDb ? 120_000 : 30_000,
    hookTimeout: onMongoDb ? 180_000 : 60_000,
    // Two cores: real processes run beside the tests, so more workers only make each of them wait.
    maxWorkers: 2,
  },
});
