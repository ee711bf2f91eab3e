import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type HistoryStep, historySteps } from "../../../contracts/common/history-steps.ts";
import type {
  GetScoreHistoryRequest,
  GetScoreHistoryResponseSchema,
} from "../../../gen/hermod/insight/v1/insight_service_pb.ts";
import { SCORE_MODEL } from "../../intel/score/score.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { utcDay } from "../../shared/utc-day.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { DomainTally, ScorePointDocument, WatchedDomainDocument } from "../../store/intel-documents.ts";
import type { ScoreDayDocument } from "../../store/score-day-document.ts";
import type { AccountStore } from "../../store/store.ts";
import { meanCoverage, meanScore } from "../../store/tally.ts";
import type { Dependencies } from "../dependencies.ts";
import { createFieldFaults } from "../field-faults.ts";
import { lastOfSteps, type Step, stepsBefore, stepsBetween } from "./history-steps.ts";
import { type ResolvedScope, resolveScope } from "./resolve-scope.ts";

const MAX_POINTS = 400;
const DEFAULT_STEPS = 30;

/** Scores at the end of a step. */
interface StepScore {
  readonly score?: number | undefined;
  readonly coverage?: number | undefined;
  readonly status?: string;
  readonly domainCount?: number;
  readonly scoreModel?: string | undefined;
}

/**
 * Reads the score of a domain, or the mean score of a client or workspace, at the end of each step.
 * @throws Fault account.unknown, workspace.unknown, client.unknown, watched_domain.unknown, request.validation_failed
 */
export function createGetScoreHistory(needs: Pick<Dependencies, "store" | "clock">) {
  return async (
    request: GetScoreHistoryRequest,
    { audit }: Pick<HandlerContext, "audit">,
  ): Promise<MessageInitShape<typeof GetScoreHistoryResponseSchema>> => {
    const now = needs.clock.now();
    const { step, steps } = readSteps(request, now);
    const scope = await resolveScope(needs, request, audit);
    const { account, domain } = scope;
    const scores = await (domain ? ofDomain(account, domain, steps) : ofScope(scope, steps, now));
    let before: string | undefined;
    const points = steps.map(({ start }, index) => {
      const found: StepScore = scores[index] ?? {};
      const scoreModel = found.scoreModel ?? before;
      const isChanged = before !== undefined && scoreModel !== before;
      before = scoreModel;
      return {
        at: timestampFromDate(start),
        modelChanged: isChanged,
        ...withoutUndefined({ ...found, scoreModel }),
      };
    });
    return { step, points };
  };
}

/** @throws Fault request.validation_failed */
function readSteps(
  request: GetScoreHistoryRequest,
  now: Date,
): { readonly step: HistoryStep; readonly steps: readonly Step[] } {
  const faults = createFieldFaults();
  const step = (request.step || "day") as HistoryStep;
  if (!historySteps.includes(step))
    faults.add("/step", "field.invalid", say("step_one_of", { allowed: historySteps }));
  const asked = request.until ? timestampDate(request.until) : now;
  // The future has no scores.
  const until = asked < now ? asked : now;
  if (faults.found.length > 0) throw validationFault(faults.found);
  const from = request.from ? timestampDate(request.from) : stepsBefore(step, until, DEFAULT_STEPS - 1);
  if (!(from < until)) faults.add("/from", "field.invalid", say("until_after_from"));
  const steps = stepsBetween(step, from, until, MAX_POINTS);
  if (steps.length > MAX_POINTS)
    faults.add("/from", "field.invalid", say("span_points_most_take_longer_step", { max: MAX_POINTS }));
  if (faults.found.length > 0) throw validationFault(faults.found);
  return { step, steps };
}

/** Reads at most one point for each step, however often the score has changed. */
async function ofDomain(
  { watches }: AccountStore,
  { _id }: WatchedDomainDocument,
  steps: readonly Step[],
): Promise<StepScore[]> {
  const found: ScorePointDocument[] = [];
  let left = steps;
  for (let last = left.at(-1); last; last = left.at(-1)) {
    const point = await watches.pointBefore(_id, new Date(last.end.getTime() - 1));
    if (!point) break;
    found.unshift(point);
    left = left.filter(({ end }) => end <= point.at);
  }
  return lastOfSteps(steps, found, ({ at }) => at).map((point): StepScore => {
    if (!point) return {};
    const { score, coverage, status, scoreModel } = point;
    return { score: score ?? undefined, coverage: coverage ?? undefined, status, domainCount: 1, scoreModel };
  });
}

async function ofScope(
  { account, workspaceId, client }: ResolvedScope,
  steps: readonly Step[],
  now: Date,
): Promise<StepScore[]> {
  const owner = client ?? (await account.workspaces.find(workspaceId));
  const [first, last] = [steps[0], steps.at(-1)];
  if (!owner || !first || !last) throw fault("workspace.unknown");
  const until = utcDay(last.end.getTime() - 1);
  const days = withModels(await account.watches.scoreDays(owner._id, utcDay(first.start), until));
  const found = lastOfSteps(steps, days, (day) => new Date(dayOf(day)));
  return steps.map(({ end }, index): StepScore => {
    const day = found[index];
    // The present sums are known even if nothing has changed since they are kept by day.
    const tally = end > now ? owner.tally : day?.tally;
    return tally ? toScore(tally, day?.scoreModel ?? (end > now ? SCORE_MODEL : undefined)) : {};
  });
}

/** A day without a check has the model of the day before. */
function withModels(days: readonly ScoreDayDocument[]): ScoreDayDocument[] {
  let model: string | undefined;
  return days.map((day) => {
    model = day.scoreModel ?? model;
    return { ...day, ...(model !== undefined && { scoreModel: model }) };
  });
}

/** Day of the sums, which follows the id of the workspace or client. */
const dayOf = ({ _id }: ScoreDayDocument) => _id.slice(_id.lastIndexOf(".") + 1);

function toScore(tally: DomainTally, scoreModel: string | undefined): StepScore {
  return {
    score: meanScore(tally),
    coverage: meanCoverage(tally),
    domainCount: tally.domains,
    ...(tally.scored > 0 && { scoreModel }),
  };
}
