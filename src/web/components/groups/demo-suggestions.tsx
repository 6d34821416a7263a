import { Button } from "../elements/button.tsx";

const words = ["tour", "failing tool", "markdown", "long answer", "error"];

/** The demo model knows a few words only; an empty conversation offers them. */
export function DemoSuggestions({ sending, onSend }: { sending: string | null; onSend: (word: string) => void }) {
  return (
    <section aria-labelledby="suggestions" className="mx-auto mb-4 max-w-[780px]">
      <h2 id="suggestions" className="mb-1">
        The demo model answers
      </h2>
      <p className="mb-3 max-w-(--measure) text-ink-2">
        It plays scripts, and says so in each answer. The agent, its tools and its files are real. It knows these words:
      </p>
      <div className="flex flex-wrap gap-2">
        {words.map((word) => (
          <Button key={word} busy={word === sending} onClick={() => onSend(word)}>
            {word}
          </Button>
        ))}
      </div>
    </section>
  );
}
