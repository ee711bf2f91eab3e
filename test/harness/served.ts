import type { GenService, GenServiceMethods } from "@bufbuild/protobuf/codegenv2";
import { areas } from "../../src/roles/areas.ts";
import type { Served } from "../../src/rpc/area.ts";
import type { Audits } from "../../src/rpc/audits.ts";
import type { Handlers, Readers } from "../../src/rpc/bridge.ts";
import type { Callers, HandlerContext } from "../../src/rpc/callers.ts";

/** A service with handlers of a test, for the callers that its area allows. */
export function served<S extends GenServiceMethods, R extends Readers<S> = Record<never, never>>(
  service: GenService<S>,
  handlers: Handlers<S, HandlerContext, NoInfer<R>>,
  readers?: R,
): Served<S, R> {
  const area = areas.find((one) => one.service.typeName === service.typeName);
  const callers = (area?.callers ?? {}) as Callers<S>;
  return { service, handlers, readers, callers, audits: (area?.audits ?? {}) as Audits<S> };
}
