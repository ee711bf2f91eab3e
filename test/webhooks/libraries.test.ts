import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newWebhookSecret, signaturesOf } from "../../src/shared/webhook-signature.ts";
import { tool } from "../harness/tools.ts";

const run = promisify(execFile);
const python = tool("standardwebhooks");
const go = tool("go");

const GO_LIBRARY = "github.com/standard-webhooks/standard-webhooks/libraries";
const GO_VERSION = "v0.0.1";

/** Each program reads cases from a file, and prints for each whether its library accepts it. */
const PYTHON_PROGRAM = `
import json, sys
from standardwebhooks.webhooks import Webhook

def taken(case):
    try:
        Webhook(case["secret"]).verify(case["body"], case["headers"])
        return True
    except Exception:
        return False

print(json.dumps([taken(case) for case in json.load(open(sys.argv[1]))]))
`;
const GO_PROGRAM = `
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	standardwebhooks "${GO_LIBRARY}/go"
)

type Case struct {
	Secret, Body string
	Headers      map[string]string
}

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	var cases []Case
	if err := json.Unmarshal(text, &cases); err != nil {
		panic(err)
	}
	taken := []bool{}
	for _, one := range cases {
		headers := http.Header{}
		for name, value := range one.Headers {
			headers.Set(name, value)
		}
		webhook, err := standardwebhooks.NewWebhook(one.Secret)
		taken = append(taken, err == nil && webhook.Verify([]byte(one.Body), headers) == nil)
	}
	answer, _ := json.Marshal(taken)
	fmt.Println(string(answer))
}
`;

const body = JSON.stringify({ type: "message.delivered", data: { recipient: "jürgen@example.org" } });
const [first, second, other] = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()];
const now = Math.floor(Date.now() / 1_000);

function signed(seconds: number, ...secrets: string[]) {
  const id = "msg_1.1.delivered";
  const signature = signaturesOf({ id, seconds, body }, secrets);
  return { "webhook-id": id, "webhook-timestamp": String(seconds), "webhook-signature": signature };
}

/** Whether a library must accept it. */
const cases = [
  { secret: first, body, headers: signed(now, first), isTaken: true },
  { secret: first, body, headers: signed(now, second, first), isTaken: true },
  { secret: second, body, headers: signed(now, second, first), isTaken: true },
  { secret: other, body, headers: signed(now, second, first), isTaken: false },
  { secret: first, body: `${body} `, headers: signed(now, first), isTaken: false },
  { secret: first, body, headers: signed(now - 3_600, first), isTaken: false },
  { secret: first, body, headers: { ...signed(now, first), "webhook-id": "msg_2" }, isTaken: false },
];
const expected = cases.map(({ isTaken }) => isTaken);

let folder: string;
const file = (name: string) => path.join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "hermod-libraries-"));
  await writeFile(file("cases.json"), JSON.stringify(cases));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("exactly the signatures of Hermod are accepted", () => {
  it.skipIf(python.missing)(`by Python's library of Standard Webhooks${python.note}`, async () => {
    await writeFile(file("verify.py"), PYTHON_PROGRAM);
    const { stdout } = await run("/opt/standardwebhooks/bin/python", [file("verify.py"), file("cases.json")]);
    expect(JSON.parse(stdout)).toEqual(expected);
  });

  it.skipIf(go.missing)(
    `by Go's${go.note}`,
    async () => {
      await writeFile(file("main.go"), GO_PROGRAM);
      const inFolder = { cwd: folder, env: { ...process.env, GOFLAGS: "-mod=mod", GOTOOLCHAIN: "local" } };
      await run("go", ["mod", "init", "example.com/verify"], inFolder);
      await run("go", ["get", `${GO_LIBRARY}@${GO_VERSION}`], inFolder);
      const { stdout } = await run("go", ["run", "main.go", "cases.json"], inFolder);
      expect(JSON.parse(stdout)).toEqual(expected);
    },
    180_000,
  );
});
