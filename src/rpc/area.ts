import type { MessageShape } from "@bufbuild/protobuf";
import type { GenService, GenServiceMethods } from "@bufbuild/protobuf/codegenv2";
import type { Audits, MethodAudit } from "./audits.ts";
import type { Handlers, Readers } from "./bridge.ts";
import type { Access, Callers, HandlerContext } from "./callers.ts";
import type { UnknownFields } from "./unknown-fields.ts";

/** A service with its handlers, the callers of each method, and the audit log entries of each method. */
export interface Served<S extends GenServiceMethods, R extends Readers<S> = Record<never, never>> {
  readonly service: GenService<S>;
  readonly callers: Callers<S>;
  readonly audits: Audits<S>;
  readonly handlers: Handlers<S, HandlerContext, NoInfer<R>>;
  readonly readers?: R | undefined;
}

/** Registers services: the gRPC server. */
export interface ServiceTaker {
  add<S extends GenServiceMethods, R extends Readers<S>>(served: Served<S, R>): void;
}

/** One area of the core: a service that is built once from its dependencies. */
export interface Area<in Needs> {
  readonly service: GenService<GenServiceMethods>;
  readonly callers: Callers<GenServiceMethods>;
  readonly audits: Audits<GenServiceMethods>;
  serve(server: ServiceTaker, needs: Needs): void;
}

/** Methods of a service, by local name. A missing method does not compile. */
export type Methods<S extends GenServiceMethods, Needs, R = unknown> = {
  readonly [K in keyof S]: readonly [
    access: Access,
    audit: MethodAudit,
    /** Builds the handler once, from the dependencies of the area. */
    run: (needs: Needs) => Handlers<S, HandlerContext, R>[K],
  ];
};

/** Rejects a method that the service lacks, and a response with a field that its message lacks. */
type Checked<S extends GenServiceMethods, M> = {
  [K in keyof M]: K extends keyof S
    ? M[K] extends readonly [unknown, unknown, infer Run]
      ? WithoutFields<UnknownFields<AnswerOf<Run>, MessageShape<S[K]["output"]>>>
      : unknown
    : never;
};

type WithoutFields<Names> = [Names] extends [never] ? unknown : { "unknown fields of the answer": Names };

type AnswerOf<Run> = Run extends (...needs: never) => (...call: never) => infer Answer
  ? Answer extends Promise<infer Whole> | AsyncIterable<infer Whole>
    ? Whole
    : never
  : never;

/** @param methods the service determines the types of requests, contexts and responses */
export function defineArea<S extends GenServiceMethods, Needs, M extends Methods<S, Needs>>(
  service: GenService<S>,
  methods: M & Checked<S, NoInfer<M>>,
): Area<Needs> {
  return areaOf<S, Needs, Needs>(service, (needs) => needs, methods);
}

/**
 * An area with methods that share parts, or read their requests in a special way.
 *
 * @param parts builds the dependencies of the methods once, from the dependencies of the area
 */
export function prepareArea<
  S extends GenServiceMethods,
  Needs,
  Parts,
  M extends Methods<S, Parts, R>,
  R extends Readers<S> = Record<never, never>,
>(
  service: GenService<S>,
  parts: (needs: Needs) => Parts,
  methods: M & Checked<S, NoInfer<M>>,
  readers?: R,
): Area<Needs> {
  return areaOf(service, parts, methods, readers);
}

function areaOf<S extends GenServiceMethods, Needs, Parts, R extends Readers<S> = Record<never, never>>(
  service: GenService<S>,
  parts: (needs: Needs) => Parts,
  methods: Methods<S, Parts, R>,
  readers?: R,
): Area<Needs> {
  type Method = Methods<S, Parts, R>[keyof S];
  const each = <T>(of: (method: Method) => T) =>
    Object.fromEntries(Object.entries<Method>(methods).map(([name, method]) => [name, of(method)]));
  const callers = each(([access]) => access) as Callers<S>;
  const audits = each(([, audit]) => audit) as Audits<S>;
  return {
    service: service as GenService<GenServiceMethods>,
    callers,
    audits,
    serve: (server, needs) => {
      const shared = parts(needs);
      const handlers = each(([, , run]) => run(shared)) as Handlers<S, HandlerContext, NoInfer<R>>;
      server.add<S, R>({ service, callers, audits, readers, handlers });
    },
  };
}
