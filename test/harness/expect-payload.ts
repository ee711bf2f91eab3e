import { expect } from "vitest";
import { type EventType, eventSchemas } from "../../contracts/events.ts";

/** Fails unless a body is what its type's schema says, with no field beside. */
export function expectPayload(body: unknown): void {
  const { type, timestamp } = body as { readonly type: EventType; readonly timestamp: string };
  expect(Object.keys(eventSchemas)).toContain(type);
  // What the schema does not know is left out by it.
  expect(eventSchemas[type].parse(body)).toEqual(body);
  expect(new Date(timestamp).toISOString()).toBe(timestamp);
}
