import { readdirSync } from "node:fs";
import path from "node:path";
import { loadSync } from "@grpc/proto-loader";
import { describe, expect, it } from "vitest";

const files = readdirSync("proto/hermod", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".proto"))
  .map((name) => path.posix.join("hermod", name.replaceAll(path.sep, "/")));

describe("the definitions in proto/", () => {
  it.each(files)(
    "%s is complete in that folder alone, for protoc -I proto and grpcurl -import-path proto",
    (file) => {
      const definitions = loadSync(file, { includeDirs: ["proto"] });
      const name = file.slice(0, -path.extname(file).length).split("/").slice(0, -1).join(".");
      expect(Object.keys(definitions).some((type) => type.startsWith(`${name}.`))).toBe(true);
    },
  );

  it("contain the details of every refusal", () => {
    const definitions = loadSync("google/rpc/error_details.proto", { includeDirs: ["proto"] });
    expect(Object.keys(definitions)).toContain("google.rpc.ErrorInfo");
  });
});
