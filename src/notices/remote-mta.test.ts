import { expect, it } from "vitest";
import { remoteMtaOf } from "./remote-mta.ts";

it.each([
  ["direct mx.example.net[192.0.2.25]:25", "mx.example.net"],
  ["direct mx.example.net[2001:db8::25]:25", "mx.example.net"],
  ["direct mx.example.net:25", "mx.example.net"],
  ["smtp relay.example.com:587", "relay.example.com"],
  ["smtp 192.0.2.25:25", "[192.0.2.25]"],
  ["smtp 2001:db8::25:25", "[IPv6:2001:db8::25]"],
  ["report backend.example.net", "backend.example.net"],
  ["report", undefined],
  ["direct dns", undefined],
  ["sandbox", undefined],
  ["hermod", undefined],
])("the host of %j is %j", (via, host) => {
  expect(remoteMtaOf(via)).toBe(host);
});
