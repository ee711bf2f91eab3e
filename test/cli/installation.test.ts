import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { GetInstallationResponseSchema } from "../../gen/hermod/installation/v1/installation_service_pb.ts";
import { runHermod } from "./run-hermod.ts";

const answer = create(GetInstallationResponseSchema, {
  installation: {
    version: "0.3.0",
    commit: "0123456789ab",
    smtp: {
      endpoints: [
        { host: "mail.example.com", port: 587, tls: "starttls" },
        { port: 465, tls: "implicit" },
      ],
    },
    systemMail: "captured",
    signIn: { oidcName: "Lo\u001bgin" },
    limits: {
      resources: [{ resource: "domains", limit: 1000, used: 3 }],
      rates: [
        { rate: "account_sends", limit: 500, windowSeconds: 1, used: 120, resetSeconds: 1 },
        { rate: "account_reads", limit: 500, windowSeconds: 1 },
      ],
    },
  },
});

it("hermod installation shows known values, and marks unknown ones", async () => {
  const asked: object[] = [];
  const getInstallation = async (request: object) => {
    asked.push(request);
    return answer;
  };
  const core = { installation: { getInstallation } };
  const { code, out } = await runHermod(["installation", "--account", "acc_1"], { core });
  expect([code, asked]).toEqual([0, [{ accountId: "acc_1" }]]);
  expect(out).toBe(`\
Hermod       0.3.0+0123456789ab
API          unknown
SMTP         smtp://mail.example.com:587, smtps://*:465
System mail  captured
Sign-up      closed
Provider     Lo gin

RESOURCE  USED  LIMIT
domains   3     1000

RATE           USED  LIMIT
account_sends  120   500 in 1 s
account_reads        500 in 1 s
`);
});
