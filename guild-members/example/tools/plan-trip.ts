import { defineTool, failure } from "../tool.ts";
import { tripInput, tripOutput } from "./trip-schema.ts";
import type { Trip } from "./trip-schema.ts";

/** The fewest nights a stop gets. At a fast pace several stops may share a day. */
const leastNights: Record<Trip["pace"], number> = { relaxed: 2, steady: 1, fast: 0 };

export const planTrip = defineTool<Trip>(
  {
    name: "plan_trip",
    title: "Plan a trip",
    description: "Spreads nights over the stops of a trip, says what it costs each traveller, and writes the plan as Markdown.",
    inputSchema: tripInput,
    outputSchema: tripOutput,
  },
  (trip) => {
    const needed = trip.stops.length * leastNights[trip.pace];
    if (trip.nights < needed) {
      return failure(`${trip.stops.length} stops at a ${trip.pace} pace need at least ${needed} nights, not ${trip.nights}.`);
    }
    const stays = planStays(trip);
    const result = { stays, perPerson: trip.budget === null ? null : round(trip.budget.amount / trip.travellers.length) };
    return { content: [{ type: "text", text: write(trip, result) }], structuredContent: result };
  },
);

type Stay = { stop: string; arrival: string; nights: number };
type Plan = { stays: Stay[]; perPerson: number | null };

/** As even as whole nights allow; the first stops get what is left over. */
function planStays({ start, stops, nights }: Trip): Stay[] {
  const [each, over] = [Math.floor(nights / stops.length), nights % stops.length];
  let day = 0;
  return stops.map((stop, at) => {
    const stay = { stop, arrival: dayAfter(start, day), nights: each + (at < over ? 1 : 0) };
    day += stay.nights;
    return stay;
  });
}

function dayAfter(start: string, days: number): string {
  const date = new Date(`${start}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

const round = (amount: number): number => Number(amount.toFixed(2));

function write(trip: Trip, { stays, perPerson }: Plan): string {
  const { title, reference, organiser, travellers, budget, packing, departure, notes } = trip;
  const vegetarians = travellers.filter(({ vegetarian }) => vegetarian === true).length;
  const price = budget === null || perPerson === null ? [] : [`- **Budget:** ${perPerson} ${budget.currency} each`];
  return [
    `# ${title}${reference === undefined ? "" : ` (${reference})`}`,
    [
      `- **Organised by:** ${organiser.name}, ${"email" in organiser.contact ? organiser.contact.email : organiser.contact.phone}`,
      `- **Travellers:** ${travellers.map(({ name }) => name).join(", ")}${vegetarians === 0 ? "" : ` (${vegetarians} vegetarian)`}`,
      ...(departure === null ? [] : [`- **Departure:** ${new Date(departure).toUTCString()}`]),
      ...(organiser.website === undefined ? [] : [`- **More:** ${organiser.website}`]),
      ...price,
    ].join("\n"),
    [
      "| arrival | stop | nights |",
      "| --- | --- | ---: |",
      ...stays.map((stay) => `| ${stay.arrival} | ${stay.stop} | ${stay.nights} |`),
    ].join("\n"),
    ...(Object.keys(packing).length === 0
      ? []
      : [["## To pack", "", ...Object.entries(packing).map(([thing, count]) => `- [ ] ${count} × ${thing}`)].join("\n")]),
    ...(notes === undefined ? [] : [`> ${notes.replaceAll("\n", "\n> ")}`]),
  ].join("\n\n");
}
