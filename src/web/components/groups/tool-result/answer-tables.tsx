import { Download } from "lucide-react";
import { isObject } from "../../../tool-form/json.ts";
import type { JsonObject } from "../../../tool-form/json.ts";
import type { AnswerTable } from "../../../tool-form/answer-views.ts";
import { Button } from "../../elements/button.tsx";
import { Facts } from "../../elements/facts.tsx";
import { Icon } from "../../elements/icon.tsx";
import { Panel } from "../../elements/panel.tsx";
import { downloadText } from "../../../live/download.ts";

const mostRows = 200;

/** Lists of like things as tables, and what is told beside them. */
export function AnswerTables({ tables, data, fileName }: { tables: readonly AnswerTable[]; data: unknown; fileName: string }) {
  const beside = isObject(data) ? Object.entries(data).filter(([, value]) => typeof value !== "object" || value === null) : [];
  return (
    <>
      {beside.length === 0 ? null : (
        <Facts
          of={beside
            .slice(0, 50)
            .map(([label, value]) => ({ label, value: <span className="font-mono tabular-nums">{cellText(value)}</span> }))}
        />
      )}
      {tables.map((table) => (
        <Table key={table.name} table={table} fileName={fileName} />
      ))}
    </>
  );
}

function Table({ table: { name, rows, columns }, fileName }: { table: AnswerTable; fileName: string }) {
  const label = name === "" ? "Rows" : name;
  const isFigure = new Set(columns.filter((column) => rows.slice(0, mostRows).every((row) => typeof row[column] === "number")));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <Panel className="overflow-hidden">
        <div tabIndex={0} role="region" aria-label={label} className="max-h-[60vh] overflow-auto">
          <table className="w-full border-collapse font-mono text-[12px] leading-[18px]">
            <thead>
              <tr>
                {columns.map((column) => (
                  <th
                    key={column}
                    scope="col"
                    className={`sticky top-0 border-b border-line bg-paper px-3 py-1.5 font-medium text-ink-2 ${isFigure.has(column) ? "text-right" : "text-left"}`}
                  >
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.slice(0, mostRows).map((row, index) => (
                <Row key={rowKey(index)} row={row} columns={columns} isFigure={isFigure} />
              ))}
            </tbody>
          </table>
        </div>
      </Panel>
      {rows.length > mostRows ? (
        <p className="flex flex-wrap items-center gap-2 text-xs text-ink-2">
          These are the first {mostRows} of {rows.length} rows.
          <Button
            size="sm"
            icon={<Icon of={Download} className="size-[15px]" />}
            onClick={() => downloadText(JSON.stringify(rows, null, 2), `${fileName}-rows.json`)}
          >
            Download all rows
          </Button>
        </p>
      ) : null}
    </div>
  );
}

/** Rows of an answer never change places, so their place is their key. */
const rowKey = (index: number): string => `row ${index}`;

const Row = ({ row, columns, isFigure }: { row: JsonObject; columns: readonly string[]; isFigure: ReadonlySet<string> }) => (
  <tr className="border-b border-line last:border-b-0">
    {columns.map((column) => (
      <td key={column} className={`px-3 py-[5px] whitespace-nowrap ${isFigure.has(column) ? "text-right tabular-nums" : ""}`}>
        {cellText(row[column])}
      </td>
    ))}
  </tr>
);

const mostInCell = 200;

function cellText(value: unknown): string {
  if (value === undefined) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > mostInCell ? `${text.slice(0, mostInCell)}…` : text;
}
