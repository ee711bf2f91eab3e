import { Link } from "@tanstack/react-router";
import type { IntelClient } from "../../api/workspaces.ts";
import type { Column } from "../../parts/table.tsx";
import { numberText } from "../../texts/number-text.ts";
import { t } from "../../texts/texts.ts";
import { ClientState, scoreText } from "./client-state.tsx";

export const clientColumns: readonly Column<IntelClient>[] = [
  {
    heading: t.clients.name,
    cell: ({ id, name, tags }) => (
      <>
        <Link to="/intel/clients/$clientId" params={{ clientId: id }} className="main">
          {name}
        </Link>
        {tags.length > 0 && <div className="muted">{tags.join(", ")}</div>}
      </>
    ),
    className: "main wrap grow",
  },
  { heading: t.clients.worst, cell: (client) => <ClientState client={client} /> },
  {
    heading: t.clients.domains,
    cell: ({ counts }) => numberText(counts.domains),
    className: "right num",
  },
  { heading: t.intel.score, cell: ({ score }) => scoreText(score), className: "right num" },
];
