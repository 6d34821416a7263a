import { join } from "node:path";
import { openHallInProcess } from "../../src/server/hall-in-process.testing.ts";
import type { HallInProcess } from "../../src/server/hall-in-process.testing.ts";
import { startScriptedModel } from "../../src/scripted-model/server.ts";
import type { ScriptedModel, ScriptedModelOptions } from "../../src/scripted-model/server.ts";

export const environmentOf = ({ url }: ScriptedModel): Record<string, string> => ({
  ANTHROPIC_BASE_URL: url,
  ANTHROPIC_API_KEY: "key-of-the-faults",
});

/** A model that plays the script; whatever happens, it is closed. */
export async function withModel<Answer>(
  script: ScriptedModelOptions["script"],
  strike: (model: ScriptedModel) => Promise<Answer>,
): Promise<Answer> {
  const model = await startScriptedModel({ script });
  try {
    return await strike(model);
  } finally {
    await model.close();
  }
}

/** A hall of this process that asks the model, or that of the demo; whatever happens, it is closed. `folder` has to be new. */
export async function withHall<Answer>(
  { folder, home = join(folder, "home"), model, config }: { folder: string; home?: string; model?: ScriptedModel; config?: object },
  strike: (hall: HallInProcess) => Promise<Answer>,
): Promise<Answer> {
  const env = { ...process.env, ...(model === undefined ? { ANTHROPIC_BASE_URL: "" } : environmentOf(model)) };
  const hall = await openHallInProcess({ folder, home, env, config: { runs: { waiting: 0 }, ...config } });
  try {
    return await strike(hall);
  } finally {
    await hall.close();
  }
}
