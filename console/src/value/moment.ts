// Moments of the past, as addresses and people write them.

const FORM = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?Z$/;

// A moment in an address: what the server takes, or null for what is none.
export function parseMoment(text: string): string | null {
  return FORM.test(text) && Number.isFinite(Date.parse(text)) ? text : null;
}

// To the microsecond, so that it is the moment and not one before it.
export function momentOf(micros: number): string {
  const rest = String(micros % 1_000_000).padStart(6, "0");
  return `${new Date(Math.floor(micros / 1_000_000) * 1000).toISOString().slice(0, 19)}.${rest}Z`;
}

const two = (number: number): string => String(number).padStart(2, "0");

// In the clock of who looks: 2026-11-16 14:29:51
export function showMoment(millis: number): string {
  const date = new Date(millis);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

// What a field of date and time has for a moment, and back.
export function fieldText(millis: number): string {
  return showMoment(millis).replace(" ", "T");
}

export function fromField(text: string): string | null {
  const millis = Date.parse(text);
  return Number.isFinite(millis) ? new Date(millis).toISOString() : null;
}
