// What the browser keeps for the user: theme, columns, queries that ran. Storage may be refused; then
// nothing is kept and nothing breaks.

export function recall(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // Full or forbidden.
  }
}

export function recallList(name: string): string[] {
  try {
    const list: unknown = JSON.parse(recall(name) ?? "[]");
    return Array.isArray(list) ? list.filter((entry): entry is string => typeof entry === "string") : [];
  } catch {
    return [];
  }
}

// Puts `entry` first and keeps `most`.
export function rememberFirst(name: string, entry: string, most: number): void {
  const rest = recallList(name).filter((other) => other !== entry);
  remember(name, JSON.stringify([entry, ...rest].slice(0, most)));
}
