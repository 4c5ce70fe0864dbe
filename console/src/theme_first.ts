// Runs before the first paint: what was chosen, else what the system prefers.
import { startTheme } from "./theme.ts";

startTheme();
