import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { type Key, keyQuery } from "../../api/keys.ts";
import { Answer } from "../../parts/answer.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { timeText } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";
import { KeyActions } from "./key-actions.tsx";
import { KeyFacts } from "./key-facts.tsx";
import { nameOf, toneOf } from "./name-of.ts";

const route = getRouteApi("/inside/keys/$keyId");
const KeyUses = lazy(() => import("./key-uses.tsx").then((module) => ({ default: module.KeyUses })));

/** A key: its state, its access, its use. */
export function KeyPage() {
  const { keyId } = route.useParams();
  const query = useQuery(keyQuery(keyId));
  return (
    <StateView query={query}>
      {(key) => (
        <>
          <PageHead
            title={nameOf(key)}
            detail={t.keys.kinds[key.kind] ?? key.kind}
            above={
              <Link to="/keys" className="link">
                {t.keys.title}
              </Link>
            }
          >
            <KeyActions shown={key} />
          </PageHead>
          <Answer tone={toneOf(key)}>
            {sentencesOf(key).map((sentence) => (
              <p key={sentence}>{sentence}</p>
            ))}
          </Answer>
          <Suspense>
            <KeyUses keyId={key.id} />
          </Suspense>
          <KeyFacts shown={key} />
          <div className="row">
            <Link to="/requests" search={{ key_id: key.id }} className="link">
              {t.keys.itsRequests}
            </Link>
            <Link to="/messages" search={{ key_id: key.id }} className="link">
              {t.keys.itsMessages}
            </Link>
          </div>
        </>
      )}
    </StateView>
  );
}

/** The most important facts for the owner of the key. */
function sentencesOf(key: Key): string[] {
  const now = new Date();
  const { says, surfaces } = t.keys;
  const { state, expires_at, superseded_at, last_used_at, last_used_by, last_used_from } = key;
  if (state !== "replaced") return [says[state as "active" | "unused" | "expired" | "revoked"] ?? state];
  const goesOn = says.replaced(expires_at ? timeText(expires_at, now, true) : t.keys.never);
  const isUsed = last_used_at && superseded_at && new Date(last_used_at) > new Date(superseded_at);
  if (!isUsed) return [goesOn, says.notUsedSince];
  const by = surfaces[last_used_by] ?? last_used_by;
  const from = last_used_from || t.keys.unknownAddress;
  return [goesOn, says.stillUsed(by, from, timeText(last_used_at, now, true))];
}
