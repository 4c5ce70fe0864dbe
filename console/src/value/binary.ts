// Bytes for people.

const SHOWN = 1024;
const IN_LINE = 8;

// The first bytes, eight a line: where, figures, text.
export function hexLines(base64: string): string[] {
  const whole = atob(base64);
  const bytes = Array.from(whole.slice(0, SHOWN), (character) => character.charCodeAt(0));
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += IN_LINE) {
    const part = bytes.slice(at, at + IN_LINE);
    const figures = part.map((byte) => byte.toString(16).padStart(2, "0")).join(" ").padEnd(3 * IN_LINE - 1);
    const text = part.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "·")).join("");
    lines.push(`${at.toString(16).padStart(4, "0")}  ${figures}  ${text}`);
  }
  if (whole.length > SHOWN) lines.push(`and ${(whole.length - SHOWN).toLocaleString("en")} bytes more`);
  return lines;
}
