import type { GenService, GenServiceMethods } from "@bufbuild/protobuf/codegenv2";
import type { Audits } from "./audits.ts";
import type { Handlers, Readers } from "./bridge.ts";
import type { Callers, HandlerContext } from "./callers.ts";

/** A service with what answers its methods, who may call them, and what the audit log has of that. */
export interface Served<S extends GenServiceMethods, R extends Readers<S> = Record<never, never>> {
  readonly service: GenService<S>;
  readonly callers: Callers<S>;
  readonly audits: Audits<S>;
  readonly handlers: Handlers<S, HandlerContext, NoInfer<R>>;
  readonly readers?: R | undefined;
}

/** What takes services: the gRPC server. */
export interface ServiceTaker {
  add<S extends GenServiceMethods, R extends Readers<S>>(served: Served<S, R>): void;
}

/** One area of the core: a service that is built once what it needs is there. */
export interface Area<in Needs> {
  readonly service: GenService<GenServiceMethods>;
  readonly callers: Callers<GenServiceMethods>;
  readonly audits: Audits<GenServiceMethods>;
  serve(server: ServiceTaker, needs: Needs): void;
}

/** @param definition `handlers` builds one function per method, by its local name, from what the area needs */
export function defineArea<S extends GenServiceMethods, Needs, R extends Readers<S> = Record<never, never>>(
  definition: Omit<Served<S, R>, "handlers"> & {
    readonly handlers: (needs: Needs) => Handlers<S, HandlerContext, NoInfer<R>>;
  },
): Area<Needs> {
  const { service, callers, audits, handlers, readers } = definition;
  return {
    service: service as GenService<GenServiceMethods>,
    callers,
    audits,
    serve: (server, needs) =>
      server.add<S, R>({ service, callers, audits, readers, handlers: handlers(needs) }),
  };
}
