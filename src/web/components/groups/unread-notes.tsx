"use client";

import type { ModelInfo } from "../../../schema/health.ts";
import type { MessageId } from "../../../schema/ids.ts";
import type { Message } from "../../../schema/session.ts";
import { MessageView } from "./message-view.tsx";

type UnreadNotesProps = { notes: readonly Message[]; model: ModelInfo; onRemove: (id: MessageId) => Promise<unknown> };

/** Notes that the agent reads at its next tool call. Until then they can be taken back. */
export const UnreadNotes = ({ notes, model, onRemove }: UnreadNotesProps) =>
  notes.map((note) => (
    <MessageView key={note.id} message={note} model={model} isLive={false} goesOn={false} onRemove={(id) => void onRemove(id)} />
  ));
