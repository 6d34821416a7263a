/** `/api` itself has nothing either, and says so as the API does. */
export { DELETE, GET, HEAD, PATCH, POST, PUT } from "./[...path]/route.ts";

export const dynamic = "force-dynamic";
