import type { Path } from "../../../tool-form/json.ts";
import { Button } from "../../elements/button.tsx";
import { useField } from "./form-context.ts";

const mostNamed = 20;

/** Entries that came with JSON and that the tool does not describe. They are sent, so they are in sight. */
export function UnknownKeys({ path, keys }: { path: Path; keys: readonly string[] }) {
  const { dispatch } = useField(path);
  if (keys.length === 0) return null;
  return (
    <div className="grid justify-items-start gap-1 text-xs text-ink-3">
      <p>Also sent, though the tool does not describe it:</p>
      {keys.slice(0, mostNamed).map((key) => (
        <UnknownKey
          key={key}
          path={[...path, key]}
          name={key}
          onRemove={() => dispatch({ type: "set", path: [...path, key], value: undefined })}
        />
      ))}
      {keys.length > mostNamed ? <p>and {keys.length - mostNamed} more, in the JSON.</p> : null}
    </div>
  );
}

function UnknownKey({ path, name, onRemove }: { path: Path; name: string; onRemove: () => void }) {
  const { id, problem } = useField(path);
  return (
    <div id={id} tabIndex={-1} className="flex flex-wrap items-center gap-2" {...(problem === undefined ? {} : { "data-invalid": true })}>
      <code className="[overflow-wrap:anywhere] text-ink-2">{name.slice(0, 200)}</code>
      {problem === undefined ? null : <span className="text-err">{problem}</span>}
      <Button size="sm" variant="ghost" aria-label={`Remove ${name.slice(0, 60)}`} onClick={onRemove}>
        Remove
      </Button>
    </div>
  );
}
