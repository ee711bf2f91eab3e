import type { ComposePost, DigestPostView, NoticePostView } from "./post.ts";
import { slack } from "./slack.ts";
import type { TargetKind } from "./target.ts";
import { teams } from "./teams.ts";
import { webhook } from "./webhook.ts";

const composers: Readonly<Record<TargetKind, ComposePost>> = { webhook, slack, teams };

/** Body of a notice for a target. */
export function noticeBody(kind: TargetKind, view: NoticePostView): string {
  return JSON.stringify(composers[kind].notice(view));
}

/** Body of a digest for a target. */
export function digestBody(kind: TargetKind, view: DigestPostView): string {
  return JSON.stringify(composers[kind].digest(view));
}
