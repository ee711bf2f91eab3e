import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { alertQuery } from "../../api/incidents.ts";
import { type RuleContent, ruleQuery } from "../../api/rules.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { t } from "../../texts/texts.ts";
import { ruleOfAlert } from "../alerts/rule-of-alert.ts";
import { contentOf } from "./content.ts";
import { NewRule } from "./new-rule.tsx";

const route = getRouteApi("/inside/alert-rules/-/new");

/** The settings of a new rule, before the user changes them. */
const blank: RuleContent = {
  match: [{ field: "severity", op: "gte", value: "warning" }],
  effect: "notify",
  notify: {},
};

/** A new alert rule: blank, for a target, a copy of another one, or for alerts like one that arrived. */
export function NewRulePage() {
  const { from, alert, target } = route.useSearch();
  return (
    <>
      <PageHead
        title={t.rules.create}
        detail={t.rules.createDetail}
        above={
          <Link to="/alert-rules" className="link">
            {t.rules.title}
          </Link>
        }
      />
      {from !== undefined && <Copy key={from} from={from} />}
      {from === undefined && alert !== undefined && <OfAlert key={alert} alertId={alert} />}
      {from === undefined && alert === undefined && (
        <NewRule
          key={target ?? ""}
          content={target === undefined ? blank : { ...blank, notify: { targets: [target] } }}
        />
      )}
    </>
  );
}

function Copy({ from }: { readonly from: string }) {
  const query = useQuery(ruleQuery(from));
  return <StateView query={query}>{({ settings }) => <NewRule content={contentOf(settings)} />}</StateView>;
}

function OfAlert({ alertId }: { readonly alertId: string }) {
  const query = useQuery(alertQuery(alertId));
  return (
    <StateView query={query}>
      {({ alert: { alert } }) => <NewRule content={ruleOfAlert(alert)} example={alert} />}
    </StateView>
  );
}
