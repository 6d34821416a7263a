import { z } from "zod";
import { HallError } from "../../schema/hall-error.ts";
import { longestToken } from "../../schema/token.ts";
import { loginPath } from "../guard.ts";
import type { Door } from "../door.ts";
import { defineRoute } from "./route.ts";
import type { Route } from "./route.ts";

const Login = z.strictObject({ token: z.string().min(1).max(longestToken) });

export function loginRoutes(door: Door): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: loginPath,
      summary: "Exchange the hall's token, or the person's key, for a browser cookie",
      body: Login,
      answer: { status: 204 },
      handle: async ({ body }) => {
        const cookie = door.cookieFor(body.token);
        if (cookie === null) throw new HallError("unauthorized", "That is neither the token nor the person's key of this hall.");
        return withCookie(cookie);
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/logout",
      summary: "Take the cookie away from the browser that asks",
      answer: { status: 204 },
      handle: async () => withCookie(door.noCookie()),
    }),
  ];
}

const withCookie = (cookie: string): Response =>
  new Response(null, { status: 204, headers: { "set-cookie": cookie, "cache-control": "no-store" } });
