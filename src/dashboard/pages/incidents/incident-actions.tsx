import { Button, Menu } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { type Incident, type IncidentAction, incidentActions } from "../../api/incidents.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { useMay } from "../../parts/use-may.ts";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { Assign } from "./assign.tsx";
import { Snooze } from "./snooze.tsx";

type Asked = "assign" | "snooze" | "resolve" | "reopen";

/** Actions on an incident: the next usual one as a button, the others in a menu. */
export function IncidentActions({ incident }: { readonly incident: Incident }) {
  const { id, state, snoozed_until: until } = incident;
  const may = useMay();
  const queryClient = useQueryClient();
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  const act = useMutation({
    mutationFn: (action: IncidentAction) => incidentActions[action](id),
    onSuccess: async () => {
      close();
      await queryClient.invalidateQueries({ queryKey: ["incidents"] });
    },
  });
  if (!may("incidents.write")) return null;
  const isResolved = state === "resolved";
  const item = (action: IncidentAction) => (
    <Menu.Item onClick={() => act.mutate(action)}>{t.incidents.actions[action]}</Menu.Item>
  );
  return (
    <div className="row">
      {state === "open" && (
        <Button loading={act.isPending && !asked} onClick={() => act.mutate("acknowledge")}>
          {t.incidents.actions.acknowledge}
        </Button>
      )}
      {!isResolved && (
        <Button variant="default" onClick={() => setAsked("resolve")}>
          {t.incidents.actions.resolve}
        </Button>
      )}
      {isResolved && (
        <Button variant="default" onClick={() => setAsked("reopen")}>
          {t.incidents.actions.reopen}
        </Button>
      )}
      <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button variant="default">{t.rules.more}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setAsked("assign")}>{t.incidents.assign}</Menu.Item>
          {!isResolved && <Menu.Item onClick={() => setAsked("snooze")}>{t.incidents.snooze}</Menu.Item>}
          {!isResolved && may("alerts.write") && (
            <Menu.Item
              renderRoot={(props) => <Link to="/silences/-/new" search={{ incident: id }} {...props} />}
            >
              {t.silences.ofIncident}
            </Menu.Item>
          )}
          {!isResolved && until && item("unsnooze")}
          {state === "acknowledged" && item("unacknowledge")}
        </Menu.Dropdown>
      </Menu>
      {act.error && !asked && (
        <Confirm
          title={t.incidents.failed}
          detail={t.incidents.failedDetail}
          action={t.common.retry}
          isPending={act.isPending}
          error={act.error}
          onConfirm={() => act.variables && act.mutate(act.variables)}
          onClose={act.reset}
        />
      )}
      {(asked === "resolve" || asked === "reopen") && (
        <Confirm
          title={t.incidents.actions[asked]}
          detail={t.incidents.actionDetails[asked]}
          action={t.incidents.actions[asked]}
          isPending={act.isPending}
          error={act.error}
          onConfirm={() => act.mutate(asked)}
          onClose={close}
        />
      )}
      {asked === "assign" && <Assign incident={incident} onClose={close} />}
      {asked === "snooze" && <Snooze incident={incident} onClose={close} />}
    </div>
  );
}
