import { expect } from "vitest";
import { type EventType, eventSchemas } from "../../contracts/events.ts";

/** Fails unless a body matches the schema of its type, without additional fields. */
export function expectPayload(body: unknown): void {
  const { type, timestamp } = body as { readonly type: EventType; readonly timestamp: string };
  expect(Object.keys(eventSchemas)).toContain(type);
  // The schema drops unknown fields.
  expect(eventSchemas[type].parse(body)).toEqual(body);
  expect(new Date(timestamp).toISOString()).toBe(timestamp);
}
