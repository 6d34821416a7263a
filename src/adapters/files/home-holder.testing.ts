import { HallError } from "../../schema/hall-error.ts";
import { openHome } from "./home.ts";

/** A program for tests: opens the home it is given, says how that went in one line, and holds it until its input ends. */
const [home = "", address = null] = process.argv.slice(2);

try {
  const opened = await openHome(home, { address, version: "0.0.0" });
  process.stdout.write("held\n");
  process.stdin.resume().once("end", () => {
    void opened.release().then(() => process.exit(0));
  });
} catch (error) {
  if (!(error instanceof HallError)) throw error;
  process.stdout.write(`${error.code}: ${error.message}\n`);
}
