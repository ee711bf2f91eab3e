import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { RotateSecretsResponseSchema } from "../../gen/hermod/secret/v1/secret_service_pb.ts";
import { parseSecretKey } from "../../src/shared/secret-keys.ts";
import { type RunOptions, runHermod } from "./run-hermod.ts";

describe("hermod secrets new-key", () => {
  it("creates a key without a core, and writes only the key to standard output", async () => {
    const connect = () => Promise.reject(new Error("nobody is to be asked"));
    const ran = await runHermod(["secrets", "new-key"], { connect });
    expect([ran.code, ran.out]).toEqual([0, expect.stringMatching(/^[0-9a-f]{64}\n$/)]);
    expect(ran.err).toContain(parseSecretKey(ran.out.trim())?.id);
    expect(ran.err).not.toContain(ran.out.trim());
    const asJson = await runHermod(["secrets", "new-key", "--json"], { connect });
    const { key, id } = JSON.parse(asJson.out);
    expect([id, asJson.err]).toEqual([parseSecretKey(key)?.id, ""]);
    expect(key).not.toBe(ran.out.trim());
  });
});

type Step = MessageInitShape<typeof RotateSecretsResponseSchema>;

/** A core that answers with these steps in turn, when it is asked for them in this order. */
async function rotate(steps: readonly Step[], argv: readonly string[] = [], options: RunOptions = {}) {
  const asked: unknown[] = [];
  const rotateSecrets = async (request: { pageToken?: string }) => {
    asked.push(request.pageToken);
    return create(RotateSecretsResponseSchema, steps[asked.length - 1] ?? {});
  };
  const core = { secrets: { rotateSecrets } };
  return { ...(await runHermod(["secrets", "rotate", ...argv], { core, ...options })), asked };
}

const keyId = "3f9a1c07";
const steps: readonly Step[] = [
  { keyId, total: 230n, seen: 100, encrypted: 100, nextPageToken: "0:b" },
  { keyId, seen: 100, encrypted: 4, nextPageToken: "1:" },
  { keyId, seen: 31 },
];

describe("hermod secrets rotate", () => {
  it("continues until all documents are checked, and shows the progress", async () => {
    const ran = await rotate(steps);
    expect([ran.code, ran.asked]).toEqual([0, ["", "0:b", "1:"]]);
    expect(ran.out).toBe(`All secrets are encrypted with the key ${keyId}. Re-encrypted: 104 documents.\n`);
    expect(ran.err).toMatch(
      /^100 of 230, 43 %\n200 of 230, 86 %\n231 of 231, 100 %\nYou can now remove the other keys/,
    );
    expect((await rotate(steps, [], { tty: true })).err).toMatch(
      /^\r100 of 230, 43 %\r200 of 230, 86 %\r231 of 231, 100 %\n/,
    );
  });

  it("writes only the result with --json", async () => {
    const ran = await rotate(steps, ["--json"]);
    expect([JSON.parse(ran.out), ran.err]).toEqual([{ key_id: keyId, seen: 231, encrypted: 104 }, ""]);
  });

  it("fails after processing the rest if a document cannot be decrypted", async () => {
    const failures = Array.from({ length: 25 }, (_, n) => `secret of d${n} in policies is cut off`);
    const ran = await rotate([{ ...steps[0], failures }, ...steps.slice(1)], ["--json"]);
    expect([ran.code, ran.out, ran.asked.length]).toEqual([1, "", 3]);
    const { error } = JSON.parse(ran.err);
    expect(error.message).toBe(
      "Not everything is encrypted with the first key. Encrypted again: 104 documents. Problem (and 24 more): secret of d0 in policies is cut off.",
    );
    const forPeople = await rotate([{ ...steps[0], failures }, ...steps.slice(1)]);
    for (const failure of failures) expect(forPeople.err).toContain(`\n${failure}\n`);
  });

  it("stops when cores encrypt with different keys, which would undo each other's work", async () => {
    const ran = await rotate([...steps.slice(0, 1), { ...steps[1], keyId: "00000000" }]);
    expect([ran.code, ran.out]).toEqual([1, ""]);
    expect(ran.err).toContain(`${keyId} and 00000000`);
  });
});
