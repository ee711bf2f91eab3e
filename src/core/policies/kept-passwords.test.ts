import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { PolicySchema, type SmtpTransportSchema } from "../../../gen/hermod/policy/v1/policy_service_pb.ts";
import type { PolicyDocument, SmtpTransportSettings } from "../../store/policy-document.ts";
import { keepPasswords } from "./kept-passwords.ts";

const stored = (changes: Partial<SmtpTransportSettings> = {}): SmtpTransportSettings => ({
  kind: "smtp",
  servers: [
    { host: "relay.example.com", port: 587 },
    { host: "Relay2.example.com", port: 587 },
  ],
  tls: "required",
  username: "ada",
  password: "s3cret",
  maxConnections: 10,
  ...changes,
});

const former = (...transports: SmtpTransportSettings[]): PolicyDocument => ({
  _id: "acc_1.relay",
  accountId: "acc_1",
  name: "relay",
  default: false,
  transports: [{ kind: "sandbox" }],
  rules: [{ domains: ["example.org"], transports }],
  updatedAt: new Date(0),
});

type Given = MessageInitShape<typeof SmtpTransportSchema>;

const given = (changes: Given): Given => ({
  servers: [{ host: "relay.example.com" }],
  username: "ada",
  ...changes,
});

/** Password of the transport after the change. */
function kept(changes: Given, document: PolicyDocument | undefined = former(stored())): string | undefined {
  const transports = [{ kind: { case: "smtp" as const, value: given(changes) } }];
  const policy = keepPasswords(create(PolicySchema, { name: "relay", transports }), () => document);
  const [transport] = policy.transports;
  return transport?.kind.case === "smtp" ? transport.kind.value.password : undefined;
}

describe("a transport that is stored without its password", () => {
  it("keeps the stored one, for servers that had it, at any position in the policy", () => {
    expect(kept({})).toBe("s3cret");
    expect(
      kept({ servers: [{ host: "relay2.EXAMPLE.com", port: 587 }, { host: "relay.example.com" }] }),
    ).toBe("s3cret");
    expect(kept({ tls: "required", maxConnections: 3 })).toBe("s3cret");
    const other = stored({ username: "bob", password: "of bob" });
    expect(kept({ username: "bob" }, former(stored(), other))).toBe("of bob");
  });

  it.each<[string, Given]>([
    ["another server", { servers: [{ host: "evil.example" }] }],
    [
      "another server beside the known one",
      { servers: [{ host: "relay.example.com" }, { host: "evil.example" }] },
    ],
    ["another port", { servers: [{ host: "relay.example.com", port: 25 }] }],
    ["the port of another TLS mode", { tls: "implicit" }],
    ["a name of which the known one is a part", { servers: [{ host: "relay.example.com.evil.example" }] }],
    ["another user name", { username: "eve" }],
    ["weaker TLS", { tls: "opportunistic" }],
    ["no TLS", { tls: "none" }],
    ["a TLS mode that there is not", { tls: "toString" }],
  ])("never shows the stored one to %s", (_name, changes) => {
    expect(kept(changes)).toBe("");
  });

  it("has none if none is stored, and none that the request does not need", () => {
    expect(kept({}, former())).toBe("");
    const { password: _password, username: _username, ...open } = stored();
    expect(kept({}, former(open))).toBe("");
    expect(kept({ username: "" })).toBe("");
    expect(kept({ password: "new" })).toBe("new");
  });

  it("reads the former policy only if a password is missing", () => {
    const transports = [{ kind: { case: "smtp" as const, value: given({ password: "new" }) } }];
    const policy = create(PolicySchema, { name: "relay", transports });
    const unread = () => {
      throw new Error("it cannot be decrypted");
    };
    expect(keepPasswords(policy, unread)).toEqual(policy);
    expect(
      keepPasswords(create(PolicySchema, { name: "relay", transports: [] }), () => undefined).transports,
    ).toEqual([]);
  });
});
