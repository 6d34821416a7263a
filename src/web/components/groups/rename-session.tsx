"use client";

import { Pencil } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { KeyboardEvent } from "react";
import type { Session } from "../../../schema/session.ts";
import { useSessionChanges } from "../../live/use-session-changes.ts";
import { Button } from "../elements/button.tsx";
import { Icon } from "../elements/icon.tsx";
import { Input } from "../elements/input.tsx";
import { usePageCommands } from "./use-page-commands.ts";

/** The name of a session, and the place to change it. Enter saves it, Escape leaves it as it was. */
export function RenameSession({ session }: { session: Pick<Session, "id" | "name"> }) {
  const { change, failure, forgetFailure, isBusy } = useSessionChanges(session.id);
  const [name, setName] = useState<string | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const isChanging = name !== null;
  useEffect(() => {
    if (isChanging) field.current?.select();
  }, [isChanging]);

  usePageCommands([{ id: "rename", kind: "rename", label: "Rename session", run: () => setName(session.name) }]);
  const leave = () => {
    setName(null);
    forgetFailure();
    // The field is gone a moment later, and focus with it.
    setTimeout(() => button.current?.focus(), 0);
  };
  const save = async () => {
    const wanted = name?.trim() ?? "";
    if (isBusy) return;
    if (wanted === "" || wanted === session.name || (await change({ name: wanted }))) leave();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key !== "Enter" && event.key !== "Escape") return;
    // Escape would stop the run as well.
    event.preventDefault();
    if (event.key === "Enter") void save();
    else leave();
  };
  if (name === null) {
    return (
      <div className="group flex min-w-0 items-center gap-1">
        <h1 className="min-w-0 overflow-hidden text-xl text-ellipsis whitespace-nowrap max-rail:text-panel" title={session.name}>
          {session.name}
        </h1>
        <Button
          ref={button}
          size="icon"
          aria-label="Rename session"
          title="Rename session"
          icon={<Icon of={Pencil} className="size-3.5" />}
          onClick={() => setName(session.name)}
        />
      </div>
    );
  }
  return (
    <div className="min-w-0 flex-1">
      <h1 className="sr-only">{session.name}</h1>
      <Input
        ref={field}
        aria-label="Name of the session"
        maxLength={200}
        value={name}
        invalid={failure !== null}
        onChange={(event) => setName(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={() => void save()}
      />
      {failure === null ? null : (
        <p role="alert" className="text-xs text-err">
          {failure}
        </p>
      )}
    </div>
  );
}
