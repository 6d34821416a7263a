import { z } from "zod";
import { SessionId } from "../../schema/ids.ts";

/** What stands in the address of everything that belongs to one session. */
export const OneSession = z.object({ id: SessionId.describe("the id of a session: `ses_` and 26 letters and digits") });
