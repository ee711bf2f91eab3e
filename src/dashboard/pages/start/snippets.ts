/** Contents and destination of the example messages. */
export interface Sending {
  /** Base URL such as `https://mail.example.com`, without a trailing slash. */
  readonly baseUrl: string;
  readonly from: string;
  readonly to: string;
}

export const languages = ["curl", "node", "python", "go", "php"] as const;
export type Language = (typeof languages)[number];

const SUBJECT = "Hello from Hermod";
const HTML = "<p>It works.</p>";

/** Programs that send one message and print the response. Each reads the key from the environment variable HERMOD_API_KEY. */
export const snippets: Readonly<Record<Language, (sending: Sending) => string>> = {
  curl: (sending) => `curl ${shell(addressOf(sending))} \\
  -H "X-API-Key: $HERMOD_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d ${shell(JSON.stringify(bodyOf(sending), null, 4).replace(/}$/, "  }"))}`,

  node: (sending) => `const answer = await fetch(${quoted(addressOf(sending))}, {
  method: "POST",
  headers: {
    "X-API-Key": process.env.HERMOD_API_KEY,
    "Content-Type": "application/json",
  },
  body: JSON.stringify({
    from: ${quoted(sending.from)},
    to: ${quoted(sending.to)},
    subject: ${quoted(SUBJECT)},
    html: ${quoted(HTML)},
  }),
});
console.log(answer.status, await answer.json());`,

  python: (sending) => `import json, os, urllib.request

request = urllib.request.Request(
    ${quoted(addressOf(sending))},
    headers={
        "X-API-Key": os.environ["HERMOD_API_KEY"],
        "Content-Type": "application/json",
    },
    data=json.dumps({
        "from": ${quoted(sending.from)},
        "to": ${quoted(sending.to)},
        "subject": ${quoted(SUBJECT)},
        "html": ${quoted(HTML)},
    }).encode(),
)
with urllib.request.urlopen(request) as answer:
    print(answer.status, json.load(answer))`,

  go: (sending) => `package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
)

func main() {
	body, _ := json.Marshal(map[string]string{
		"from":    ${quoted(sending.from)},
		"to":      ${quoted(sending.to)},
		"subject": ${quoted(SUBJECT)},
		"html":    ${quoted(HTML)},
	})
	request, err := http.NewRequest("POST", ${quoted(addressOf(sending))}, bytes.NewReader(body))
	if err != nil {
		panic(err)
	}
	request.Header.Set("X-API-Key", os.Getenv("HERMOD_API_KEY"))
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	fmt.Println(answer.StatusCode, string(text))
}`,

  php: (sending) => `<?php
$answer = file_get_contents(${single(addressOf(sending))}, false, stream_context_create(["http" => [
    "method" => "POST",
    "header" => ["X-API-Key: " . getenv("HERMOD_API_KEY"), "Content-Type: application/json"],
    "content" => json_encode([
        "from" => ${single(sending.from)},
        "to" => ${single(sending.to)},
        "subject" => ${single(SUBJECT)},
        "html" => ${single(HTML)},
    ]),
    "ignore_errors" => true,
]]));
echo $http_response_header[0], " ", $answer, "\\n";`,
};

const addressOf = ({ baseUrl }: Sending) => `${baseUrl}/v1/email/send`;
const bodyOf = ({ from, to }: Sending) => ({ from, to, subject: SUBJECT, html: HTML });
/** A JSON string is also a string of JavaScript, Python and Go. */
const quoted = (value: string) => JSON.stringify(value);
const shell = (value: string) => `'${value.replaceAll("'", String.raw`'\''`)}'`;
/** Without variables, which PHP would expand in double quotes. */
const single = (value: string) => `'${value.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
