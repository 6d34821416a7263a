import { z } from "zod";

/** A content block of a message. What we do not read is kept, so that a test can look at it. */
const Block = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  id: z.string().optional(),
  name: z.string().optional(),
  tool_use_id: z.string().optional(),
  is_error: z.boolean().nullish(),
});
export type Block = z.infer<typeof Block>;

/** Newer models get `system` entries among the messages, so the last message is not always the user's. */
const Message = z.looseObject({ role: z.enum(["user", "assistant", "system"]), content: z.union([z.string(), z.array(Block)]) });
export type Message = z.infer<typeof Message>;

/** The body of `POST /v1/messages`, as far as a script looks at it. */
export const ModelRequest = z.looseObject({
  model: z.string(),
  max_tokens: z.number().optional(),
  stream: z.boolean().optional(),
  system: z.union([z.string(), z.array(Block)]).optional(),
  messages: z.array(Message),
  tools: z.array(z.looseObject({ name: z.string() })).optional(),
  metadata: z.looseObject({ user_id: z.string().nullish() }).nullish(),
});
export type ModelRequest = z.infer<typeof ModelRequest>;
