// How well a text fits what somebody types: words in any order, beginnings first. Higher is better,
// null for not at all.

export function fit(text: string, typed: string): number | null {
  const lower = text.toLowerCase();
  let score = 0;
  for (const word of typed.toLowerCase().split(/\s+/)) {
    if (word === "") continue;
    const at = lower.indexOf(word);
    if (at >= 0) {
      const begins = at === 0 || /[^a-z0-9]/.test(lower[at - 1] ?? "");
      score += (begins ? 100 : 40) - Math.min(at, 30);
      continue;
    }
    const gaps = subsequence(lower, word);
    if (gaps === null) return null;
    score += 20 - Math.min(gaps, 19);
  }
  return score - text.length / 100;
}

function subsequence(text: string, word: string): number | null {
  let at = -1;
  let gaps = 0;
  for (const character of word) {
    const next = text.indexOf(character, at + 1);
    if (next < 0) return null;
    gaps += at < 0 ? 0 : next - at - 1;
    at = next;
  }
  return gaps > 3 * word.length ? null : gaps;
}
